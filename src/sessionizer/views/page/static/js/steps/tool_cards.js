// @ts-check
/** The card of a tool use: one drawing per family of tools, a general one for the rest. */

import { html } from "../dom.js";
import { selectStep } from "../conversation_state.js";
import { byteLength, bytes, count, plural } from "../sizes.js";
import { argumentOf, cardOf, inputOf } from "../agent_words.js";
import { visible } from "../visible_text.js";
import { wholeResult, wholeText } from "../whole_text.js";
import { AgentCard } from "./agent_card.js";
import { Card, oneLine } from "./card.js";
import { Clipped } from "./clip.js";
import { Diff } from "./diff.js";
import { countLines, linesOfPatch, linesOfTexts } from "./diff_lines.js";
import { Listing, numberedFrom } from "./numbered_file.js";
import { Pictures, pictureAddress } from "./pictures.js";
import { PlanCard } from "./plan_card.js";
import { QuestionCard } from "./question_card.js";
import { TodosCard } from "./todos_card.js";
import { isEmptyResult, MissingFoot, ToolState, ToolTime } from "./tool_meta.js";

/** @typedef {import("../shapes.js").TreeNode} TreeNode */
/** @typedef {{step: TreeNode, talk?: string, selected: boolean, select: () => void, level: number}} CardProps */

/** What `Clipped` needs to show a step's result. */
export const resultOf = (step) => ({
  id: `result:${step.id}`,
  what: "result",
  text: step.result ?? "",
  bytes: step.result_bytes,
  load: () => wholeResult(step),
  openBig: () => selectStep(step.id, { tab: "result" }),
});

const metaOf = (step, extra = null) => html`<${ToolState} step=${step} />${extra}<${ToolTime} step=${step} />`;

/** Common properties of `Card` for a step. @param {CardProps} props */
const cardProps = ({ step, talk, selected, select }) => ({ step, talk, selected, select, name: step.name || "Tool" });

/** @param {CardProps} props */
function CommandCard(props) {
  const { step } = props;
  const input = inputOf(step);
  const command = argumentOf(input, step.text);
  const note = typeof input?.description === "string" ? input.description : "";
  const hasMore = command.includes("\n") || command.length > 300;
  return html`<${Card} ...${cardProps(props)} argument=${command} note=${command.length < 60 ? note : ""} meta=${metaOf(step)}>
    ${hasMore &&
    html`<div class="part-of-card"><p class="part-head">command <small>${bytes(step.bytes)}</small></p>
      <${Clipped} id=${`command:${step.id}`} what="command" text=${command} lines=${6} load=${() => Promise.resolve(command)} openBig=${() => {}}
    /></div>`}
    ${step.result && html`<${Clipped} ...${resultOf(step)} />`}
    ${isEmptyResult(step) && html`<p class="empty-result">No output.</p>`}
    <${MissingFoot} step=${step} />
  <//>`;
}

/** Changes that a request asked for, when the runtime did not report a patch. */
function requestedLines(input) {
  if (!input || typeof input !== "object") return [];
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  return edits.flatMap((edit) => {
    const before = edit?.old_string ?? "";
    const after = edit?.new_string ?? edit?.new_source ?? "";
    return typeof before === "string" && typeof after === "string" ? linesOfTexts(before, after) : [];
  });
}

/** @param {CardProps} props */
function DiffCard(props) {
  const { step } = props;
  const input = inputOf(step);
  const patched = linesOfPatch(step.structured?.structuredPatch);
  const lines = patched.length ? patched : requestedLines(input);
  const { added, removed } = countLines(lines);
  const numbers = html`<span class="can-stay"><span class="good">+${count(added)}</span> <span class="bad">−${count(removed)}</span></span>`;
  if (!lines.length) return html`<${GeneralCard} ...${props} />`;
  return html`<${Card} ...${cardProps(props)} argument=${argumentOf(input, step.text)} meta=${metaOf(step, numbers)}>
    ${!patched.length && html`<p class="card-note">As the request asked for it; the result reports no patch.</p>`}
    <${Diff} id=${step.id} lines=${lines} />
    ${step.failed && step.result && html`<${Clipped} ...${resultOf(step)} lines=${4} />`}
    <${MissingFoot} step=${step} />
  <//>`;
}

/** @param {CardProps} props */
function WriteCard(props) {
  const { step } = props;
  const input = inputOf(step);
  const content = typeof input?.content === "string" ? input.content : undefined;
  const patched = linesOfPatch(step.structured?.structuredPatch);
  if (patched.length) return html`<${DiffCard} ...${props} />`;
  if (content === undefined) return html`<${GeneralCard} ...${props} />`;
  const lines = content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
  return html`<${Card}
    ...${cardProps(props)}
    argument=${argumentOf(input, step.text)}
    meta=${metaOf(step, html`<span>${plural(lines, "line")}</span>`)}
  >
    <${Clipped}
      id=${`content:${step.id}`}
      what="content"
      text=${content}
      lines=${10}
      load=${() => Promise.resolve(content)}
      openBig=${() => selectStep(step.id, { tab: "step" })}
      view=${numberedFrom(1)}
    />
    ${step.failed && step.result && html`<${Clipped} ...${resultOf(step)} lines=${4} />`}
    <${MissingFoot} step=${step} />
  <//>`;
}

/** Views are made once per first line, so that they keep their identity. @type {Map<number, any>} */
const views = new Map();
function viewFrom(first) {
  let view = views.get(first);
  if (!view) views.set(first, (view = numberedFrom(first)));
  return view;
}

/** @param {CardProps} props */
function ReadCard(props) {
  const { step } = props;
  const file = step.structured?.file;
  const picture = file ? pictureAddress(file.type, file.base64) : "";
  if (picture) {
    return html`<${Card} ...${cardProps(props)} argument=${argumentOf(inputOf(step), step.text)} meta=${metaOf(step, html`<span>picture</span>`)}>
      <${Pictures} parts=${[{ media: file.type, data: file.base64, bytes: byteLength(file.base64) }]} />
    <//>`;
  }
  const first = Number.isInteger(file?.startLine) ? file.startLine : 1;
  const content = typeof file?.content === "string" ? file.content : undefined;
  const range =
    Number.isInteger(file?.numLines) && Number.isInteger(file?.totalLines)
      ? html`<span>lines ${count(first)} to ${count(first + Math.max(0, file.numLines - 1))} of ${count(file.totalLines)}</span>`
      : null;
  return html`<${Card} ...${cardProps(props)} argument=${argumentOf(inputOf(step), step.text)} meta=${metaOf(step, range)}>
    ${step.failed || content === undefined
      ? step.result && html`<${Clipped} ...${resultOf(step)} lines=${8} view=${step.failed ? undefined : Listing} />`
      : html`<${Clipped}
          id=${`content:${step.id}`}
          what="file lines"
          text=${content}
          lines=${8}
          load=${() => Promise.resolve(content)}
          openBig=${() => selectStep(step.id, { tab: "result" })}
          view=${viewFrom(first)}
        />`}
    <${Pictures} parts=${step.media} />
    <${MissingFoot} step=${step} />
  <//>`;
}

/** Values that fit into one line with others. */
const isShort = (value) => (typeof value === "string" ? value.length <= 80 && !value.includes("\n") : value === null || typeof value !== "object");

const valueText = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** The input without what the head already says: short values in a line, long ones as blocks. */
function Arguments({ step, said }) {
  const input = inputOf(step);
  if (input === undefined || input === null || typeof input !== "object" || Array.isArray(input)) {
    if (!step.text || step.text === said) return null;
    return html`<div class="part-of-card">
      <p class="part-head">input <small>${bytes(step.bytes)}</small></p>
      <${Clipped}
        id=${`input:${step.id}`}
        what="input"
        text=${step.text}
        bytes=${step.bytes}
        lines=${5}
        load=${() => wholeText(step)}
        openBig=${() => selectStep(step.id, { tab: "step" })}
      />
    </div>`;
  }
  const rest = Object.entries(input).filter(([, value]) => value !== said || oneLine(said) !== said);
  const short = rest.filter(([, value]) => isShort(value));
  const long = rest.filter(([, value]) => !isShort(value));
  return html`${short.length > 0 &&
    html`<dl class="arguments">
      ${short.map(
        ([key, value]) => html`<div key=${key}><dt class="from-data">${visible(key)}</dt><dd class="from-data" dir="auto">${visible(valueText(value))}</dd></div>`,
      )}
    </dl>`}
    ${long.map(
      ([key, value]) => html`<div key=${key} class="part-of-card">
        <p class="part-head"><span class="from-data">${visible(key)}</span> <small>${bytes(byteLength(valueText(value)))}</small></p>
        <${Clipped}
          id=${`input:${step.id}:${key}`}
          what=${key}
          text=${valueText(value)}
          lines=${5}
          load=${() => Promise.resolve(valueText(value))}
          openBig=${() => selectStep(step.id, { tab: "step" })}
        />
      </div>`,
    )}`;
}

/** @param {CardProps} props */
function GeneralCard(props) {
  const { step } = props;
  const argument = argumentOf(inputOf(step), step.text);
  return html`<${Card} ...${cardProps(props)} argument=${argument} meta=${metaOf(step)}>
    <${Arguments} step=${step} said=${argument} />
    ${step.result &&
    html`<div class="part-of-card">
      <p class="part-head">result <small>${bytes(step.result_bytes)}</small></p>
      <${Clipped} ...${resultOf(step)} lines=${8} />
    </div>`}
    <${Pictures} parts=${step.media} />
    <${MissingFoot} step=${step} />
  <//>`;
}

/** @type {Record<string, any>} */
const DRAWINGS = {
  command: CommandCard,
  diff: DiffCard,
  write: WriteCard,
  read: ReadCard,
  question: QuestionCard,
  plan: PlanCard,
  todos: TodosCard,
  agent: AgentCard,
  general: GeneralCard,
};

/** Icon on the rail for a tool. */
export function iconOf(step) {
  const card = cardOf(step.name);
  return { command: "terminal", diff: "edit", write: "file", read: "file", question: "question", plan: "list", todos: "list", agent: "agent" }[card] ?? "terminal";
}

/** @param {CardProps} props */
export function ToolCard(props) {
  const { step } = props;
  if (step.kind === "agent.call") return html`<${AgentCard} ...${props} />`;
  const card = cardOf(step.name);
  // A call of an agent that started nothing is an ordinary tool.
  if (card === "agent" && !step.opens?.length) return html`<${GeneralCard} ...${props} />`;
  return html`<${DRAWINGS[card]} ...${props} />`;
}

export { GeneralCard };
