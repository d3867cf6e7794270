// @ts-check
/** One step as a row of the transcript, drawn by its kind. */

import { html } from "../dom.js";
import { selected, selectStep } from "../conversation_state.js";
import { noticeWords } from "../agent_words.js";
import { lookOf, stateWords } from "../kinds.js";
import { bytes } from "../sizes.js";
import { Text, visible } from "../visible_text.js";
import { Clipped } from "./clip.js";
import { Pictures } from "./pictures.js";
import { Row } from "./row.js";
import { SaidText } from "./said.js";
import { Hatched, Slim } from "./slim.js";
import { iconOf, ToolCard } from "./tool_cards.js";
import { wholeText } from "../whole_text.js";

/** @typedef {import("../shapes.js").TreeNode} TreeNode */

/** Says of a queued prompt what its record says, and no more. @type {Record<string, string>} */
const QUEUE = {
  dequeued: "queued while the agent worked, then taken from the queue",
  removed: "queued while the agent worked, then removed from the queue; whether the agent saw it is not known",
  taken_back: "queued while the agent worked, then taken back",
  waiting: "queued while the agent worked, still in the queue at the end",
};

/** What stands beside the person's name. */
export function personNote(step, isChild) {
  const queue = step?.attrs?.queue;
  if (typeof queue === "string") return QUEUE[queue] ?? `queue: ${queue}`;
  return isChild ? "told by the agent that started this" : "";
}

function Message({ step, isSelected, select }) {
  const look = lookOf(step.kind);
  const nothing = !step.text && stateWords(step.state);
  if (nothing) return html`<${Hatched} name=${look.word} words=${nothing} size=${step.bytes === undefined ? "" : `0 of ${bytes(step.bytes)}`} selected=${isSelected} select=${select} />`;
  return html`<div class=${isSelected ? "message-step selected" : "message-step"}>
    <${SaidText} id=${step.id} step=${step} who=${look.word} text=${step.text ?? ""} />
    <${Pictures} parts=${step.media} />
  </div>`;
}

function PersonStep({ step, isSelected }) {
  return html`<div class=${`person-box ${isSelected ? "selected" : ""}`}>
    <${SaidText} id=${step.id} step=${step} who="Person" note=${personNote(step, false)} text=${step.text ?? ""} plain />
    <${Pictures} parts=${step.media} />
  </div>`;
}

/** Written by the program: the only striped edge there is. */
function ClientMade({ step, isSelected, select }) {
  return html`<section class=${`client-made ${isSelected ? "selected" : ""}`}>
    <button type="button" class="pick" aria-pressed=${String(isSelected)} onClick=${select}>
      <b>Client-made message</b> <small>written by the program, not by a person and not by the model</small>
    </button>
    <${Text} as="p" value=${step.text ?? stateWords(step.state)} />
  </section>`;
}

function ErrorStep({ step, isSelected, select }) {
  const word = lookOf(step.kind).word;
  return html`<section class=${`card error-card ${isSelected ? "selected" : ""}`}>
    <header>
      <button type="button" class="pick" aria-pressed=${String(isSelected)} onClick=${select}><b>${word}</b></button>
      <span class="meta from-data">${stateWords(step.state) || (step.text?.startsWith("{") ? visible(noticeWords(step.text)) : "")}</span>
    </header>
    ${step.text && html`<${Clipped} id=${`text:${step.id}`} what="text" text=${step.text} bytes=${step.bytes} lines=${6} load=${() => wholeText(step)} openBig=${() => selectStep(step.id, { tab: "step" })} />`}
  </section>`;
}

/** Reasoning: its words when the record has them, else a hatched row that says so. */
function Thinking({ step, isSelected, select }) {
  if (!step.text) {
    const words = `${stateWords(step.state) || "no text in the record"}. The provider kept it.`;
    const size = step.bytes === undefined ? "" : `0 of ${bytes(step.bytes)}`;
    return html`<${Hatched} name="Thinking withheld" words=${words} size=${size} selected=${isSelected} select=${select} />`;
  }
  return html`<div class=${`thinking ${isSelected ? "selected" : ""}`}>
    <button type="button" class="pick" aria-pressed=${String(isSelected)} onClick=${select}><b>Reasoning</b></button>
    <${Clipped}
      id=${`text:${step.id}`}
      what="reasoning"
      text=${step.text}
      bytes=${step.bytes}
      lines=${5}
      load=${() => wholeText(step)}
      openBig=${() => selectStep(step.id, { tab: "step" })}
      view=${ReasoningText}
    />
  </div>`;
}

const ReasoningText = ({ text }) => html`<${Text} as="p" class="reasoning" value=${text} />`;

function Body({ step, talk, level, isSelected, select }) {
  const props = { step, isSelected, select };
  if (step.kind === "tool" || step.kind === "agent.call") {
    return html`<${ToolCard} step=${step} talk=${talk} level=${level} selected=${isSelected} select=${select} />`;
  }
  if (step.kind === "message.external") return html`<${PersonStep} ...${props} />`;
  if (step.kind === "message.assistant" || step.kind === "agent.output") return html`<${Message} ...${props} />`;
  if (step.kind === "message.synthetic") return html`<${ClientMade} ...${props} />`;
  if (step.kind === "error.api" || step.kind === "control.interrupt") return html`<${ErrorStep} ...${props} />`;
  if (step.kind === "thinking") return html`<${Thinking} ...${props} />`;
  return html`<${Slim} step=${step} selected=${isSelected} select=${select} />`;
}

/**
 * @param {{step: TreeNode, talk?: string, level?: number}} props
 *   `level` counts how deep inside agent cards the row stands.
 */
export function StepRow({ step, talk, level = 0 }) {
  const look = lookOf(step.kind);
  const isSelected = selected.value === step.id;
  const select = () => selectStep(step.id);
  const icon = step.kind === "tool" ? iconOf(step) : look.icon;
  const accent = step.kind === "thinking" && !step.text ? "none" : look.accent;
  return html`<${Row} accent=${accent} icon=${icon} at=${step.at} select=${select} selected=${isSelected}>
    <${Body} step=${step} talk=${talk} level=${level} isSelected=${isSelected} select=${select} />
  <//>`;
}
