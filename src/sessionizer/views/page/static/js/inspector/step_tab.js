// @ts-check
/** What a step is, where it stands, when it was seen, and its text. */

import { html } from "../dom.js";
import { findNode, goToTalk, overview, streamRow, streamTitle, talkNumber, talkRow } from "../conversation_state.js";
import { lookOf, stateWords } from "../kinds.js";
import { goToReference } from "../references.js";
import { byteLength, bytes, count, plural, tokenBreakdown } from "../sizes.js";
import { Clipped } from "../steps/clip.js";
import { Pictures } from "../steps/pictures.js";
import { duration, isKnown, range, spanText, Time, utc } from "../times.js";
import { inputOf } from "../agent_words.js";
import { Text, visible } from "../visible_text.js";
import { wholeText } from "../whole_text.js";
import { Fields } from "./fields.js";

/** @typedef {import("../shapes.js").TreeNode} TreeNode */

/** Kinds that say how long they ran, or explain why nobody knows. */
const LASTING = new Set(["tool", "agent.call", "turn.duration", "llm.call"]);

export function observedAt(ms) {
  if (!isKnown(ms)) return html`<span class="muted">time unknown</span>`;
  return html`<${Time} ms=${ms} /><small class="muted block">${utc(ms)}</small>`;
}

function distanceOf(step) {
  if (step.request_to_result_ms === undefined) return undefined;
  return html`${duration(step.request_to_result_ms)}
    <small class="muted block">Distance of the two records, not the time that it ran.</small>`;
}

function durationOf(step) {
  if (step.duration_ms !== undefined) return html`${duration(step.duration_ms)}<small class="muted block">measured by the runtime</small>`;
  if (!LASTING.has(step.kind)) return undefined;
  return html`<span class="muted">unavailable: the runtime does not report how long this ran</span>`;
}

function usageOf(step) {
  if (step.kind !== "llm.call") return undefined;
  if (!step.tokens) return html`<span class="muted">usage unavailable${step.usage_state ? ` (${step.usage_state})` : ""}</span>`;
  const lower = step.usage_state === "partial" || step.usage_state === "stub" ? "at least " : "";
  return `${lower}${tokenBreakdown(step.tokens)}${step.usage_state ? ` (${step.usage_state})` : ""}`;
}

const linkTo = (id, words) => html`<button type="button" class="link from-data" onClick=${() => goToReference(id)}>${visible(words)}</button>`;

function attributeRows(step) {
  return Object.entries(step.attrs ?? {}).map(([key, value]) => /** @type {[string, any]} */ ([
    key,
    html`<code class="from-data">${visible(typeof value === "string" ? value : JSON.stringify(value))}</code>`,
  ]));
}

/** @param {{step: TreeNode, talk: string}} props */
export function StepTab({ step, talk }) {
  const row = talkRow(talk);
  const stream = streamRow(step.stream ?? row?.stream ?? "main");
  const segmentIndex = overview.value?.segments.findIndex((segment) => segment.id === row?.segment) ?? -1;
  const parent = step.parent && findNode(step.parent)?.node;
  const isTool = step.kind === "tool" || step.kind === "agent.call";
  const input = isTool ? inputOf(step) : undefined;
  const shown = input === undefined ? step.text : JSON.stringify(input, null, 2);
  return html`
    <${Fields}
      rows=${[
        ["kind", step.kind],
        ["stream", stream && html`<${Text} value=${streamTitle(stream)} /> ${stream.role !== streamTitle(stream) && html`<span class="muted">${stream.role}</span>`}`],
        ["segment", segmentIndex >= 0 && `${segmentIndex + 1} of ${overview.value?.segments.length}`],
        ["talk", row ? html`<button type="button" class="link" onClick=${() => goToTalk(row.id)}>talk ${talkNumber(row)}</button>` : html`<span class="muted">in no talk</span>`],
        ["inside", parent && parent.kind !== "talk" && linkTo(parent.id, lookOf(parent.kind).word)],
        ["observed at", observedAt(step.at)],
        ["to return", distanceOf(step)],
        ["duration", durationOf(step)],
        ["tokens", usageOf(step)],
        ["failed", step.failed === undefined ? isTool && html`<span class="muted">not stated</span>` : step.failed ? html`<span class="bad">yes</span>` : "no"],
        ["content", stateWords(step.state) || step.state],
        ["size", step.bytes !== undefined && `${count(step.bytes)} bytes`],
        ["id", html`<code class="from-data break">${visible(step.id)}</code>`],
      ]}
    />
    ${step.text &&
    html`<section class="inspector-part">
      <h3>${isTool ? "Input" : "Text"} <small>${bytes(step.bytes ?? byteLength(step.text))}</small></h3>
      <div class="card">
        <${Clipped} id=${`inspector:${step.id}`} what="text" text=${shown} bytes=${shown === step.text ? step.bytes : undefined} lines=${20} load=${() => wholeText(step)} openBig=${() => {}} />
      </div>
    </section>`}
    ${step.media && html`<section class="inspector-part"><h3>Pictures</h3><${Pictures} parts=${step.media} /></section>`}
    ${Object.keys(step.attrs ?? {}).length > 0 && html`<section class="inspector-part"><h3>Attributes</h3><${Fields} rows=${attributeRows(step)} /></section>`}
  `;
}

/** Facts of a talk, when it is selected itself. */
export function TalkTab({ row }) {
  return html`<${Fields}
    rows=${[
      ["kind", "talk"],
      ["stream", html`<${Text} value=${streamTitle(streamRow(row.stream)) || row.stream} />`],
      ["time", range(row.from, row.to)],
      ["span", spanText(row.from, row.to)],
      ["begun by", row.trigger ?? "not stated"],
      ["steps", plural(row.steps, "step")],
      ["runs", plural(row.runs, "run")],
      ["tools", plural(row.tools, "tool")],
      ["failed", row.failed ? html`<span class="bad">${row.failed}</span>` : undefined],
      ["children", row.agents ? plural(row.agents, "agent") : undefined],
      ["tokens out", row.tokens_out === undefined ? undefined : count(row.tokens_out)],
      ["copied from", row.inherited_from && html`<code class="break">${visible(row.inherited_from)}</code>`],
      ["id", html`<code class="from-data break">${visible(row.id)}</code>`],
    ]}
  />`;
}
