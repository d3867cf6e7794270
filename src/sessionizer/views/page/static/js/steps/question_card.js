// @ts-check
/** A question to the person: every choice, the chosen one, an answer of their own. */

import { html } from "../dom.js";
import { Icon } from "../icons.js";
import { duration } from "../times.js";
import { inputOf } from "../agent_words.js";
import { Text } from "../visible_text.js";
import { Card } from "./card.js";
import { MissingFoot, missingResult, ToolState } from "./tool_meta.js";

/** Answers by question. @returns {Record<string, any>} */
function answersOf(step) {
  const answers = step.structured?.answers;
  return answers && typeof answers === "object" ? answers : {};
}

/** The chosen labels of one question, as a list. */
function chosenOf(answer, labels) {
  if (Array.isArray(answer)) return answer.map(String);
  if (typeof answer !== "string" || !answer) return [];
  if (labels.includes(answer)) return [answer];
  const parts = answer.split(", ");
  return parts.every((part) => labels.includes(part)) ? parts : [answer];
}

function Option({ label, description, chosen, own = false }) {
  return html`<li class=${chosen ? "chosen" : ""}>
    ${chosen ? html`<${Icon} name="tick" small />` : html`<span class="ring" />`}
    <${Text} value=${label} as=${chosen ? "b" : "span"} />
    ${chosen && html`<span class="good">${own ? "own answer" : "chosen"}</span>`}
    ${description && html`<${Text} as="small" value=${description} />`}
  </li>`;
}

function Question({ question, answers }) {
  const options = (Array.isArray(question?.options) ? question.options : []).map((option) =>
    typeof option === "string" ? { label: option, description: "" } : { label: String(option?.label ?? ""), description: String(option?.description ?? "") },
  );
  const text = String(question?.question ?? "");
  const labels = options.map((option) => option.label);
  const chosen = chosenOf(Object.hasOwn(answers, text) ? answers[text] : undefined, labels);
  return html`<div class="question">
    <${Text} as="p" value=${text} />
    <ul>
      ${options.map(({ label, description }) => html`<${Option} key=${label} label=${label} description=${description} chosen=${chosen.includes(label)} />`)}
      ${chosen.filter((label) => !labels.includes(label)).map((label) => html`<${Option} key=${label} label=${label} chosen own />`)}
    </ul>
  </div>`;
}

/** @param {import("./tool_cards.js").CardProps} props */
export function QuestionCard({ step, talk, selected, select }) {
  const input = inputOf(step);
  const questions = Array.isArray(input?.questions) ? input.questions : input?.question ? [input] : [];
  const answers = answersOf(step);
  const waited = step.request_to_result_ms;
  const isAnswered = !step.failed && !missingResult(step);
  const meta = isAnswered
    ? html`<span>${waited === undefined ? "answered" : `answered after ${duration(waited)}`}</span>`
    : html`<${ToolState} step=${step} />`;
  const hasAnswers = Object.keys(answers).length > 0;
  return html`<${Card} step=${step} talk=${talk} name="Question" note="asked by the agent" meta=${meta} selected=${selected} select=${select} class="a-person">
    ${questions.map((question, at) => html`<${Question} key=${at} question=${question} answers=${answers} />`)}
    ${(!hasAnswers || !questions.length) && step.result && html`<p class="card-note"><${Text} value=${step.result} /></p>`}
    <${MissingFoot} step=${step} />
  <//>`;
}
