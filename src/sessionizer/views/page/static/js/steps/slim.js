// @ts-check
/** One-line rows: injections, notices, durations, model calls; hatched when nothing was kept. */

import { html } from "../dom.js";
import { injectionWords, noticeWords, notificationWords, resetWords } from "../agent_words.js";
import { lookOf, stateWords } from "../kinds.js";
import { useRemembered } from "../remembered.js";
import { bytes, plural, tokenBreakdown } from "../sizes.js";
import { duration } from "../times.js";
import { firstLine, Text, visible } from "../visible_text.js";
import { wholeText } from "../whole_text.js";
import { Clipped } from "./clip.js";
import { selectStep } from "../conversation_state.js";

/** @typedef {import("../shapes.js").TreeNode} TreeNode */

/** What a slim row says after its name. @param {TreeNode} step */
function wordsOf(step) {
  if (step.kind === "context.injection") return injectionWords(step.text);
  if (step.kind === "runtime.notification") return notificationWords(step.text) || firstLine(step.text);
  if (step.kind === "turn.duration") {
    return step.duration_ms === undefined ? "duration unavailable" : `${duration(step.duration_ms)}, measured by the runtime`;
  }
  if (step.kind === "llm.call") {
    const parts = plural(Number(step.attrs?.fragments ?? step.refs?.length ?? 1), "part");
    const state = step.usage_state && step.usage_state !== "reported" ? ` (${step.usage_state})` : "";
    return step.tokens ? `${parts}, ${tokenBreakdown(step.tokens)}${state}` : `${parts}, tokens unknown${state}`;
  }
  if (step.kind === "epoch.boundary") return resetWords(step) || "the model's context was reset here";
  if (step.kind === "control.notice") return noticeWords(step.text);
  return firstLine(step.text) || stateWords(step.state);
}

/** Whether there is a text that the row itself does not show whole. */
function hasMore(step, words) {
  const text = step.text ?? "";
  return text.trim() !== "" && step.kind !== "turn.duration" && text.trim() !== words;
}

/** @param {{step: TreeNode, selected: boolean, select: () => void}} props */
export function Slim({ step, selected, select }) {
  const [isOpen, setOpen] = useRemembered(`slim:${step.id}`, false);
  const look = lookOf(step.kind);
  const words = wordsOf(step);
  const more = hasMore(step, words);
  return html`<div class=${`slim ${selected ? "selected" : ""}`}>
      <button type="button" class="pick" aria-pressed=${String(selected)} onClick=${select}><b class="from-data">${visible(look.word)}</b></button>
      <${Text} class="slim-words" value=${words} />
      <span class="meta">
        ${step.bytes !== undefined && html`<span>${bytes(step.bytes)}</span>`}
        ${more && html`<button type="button" class="link" aria-expanded=${String(isOpen)} onClick=${() => setOpen(!isOpen)}>${isOpen ? "Hide" : "Show"}</button>`}
      </span>
    </div>
    ${isOpen &&
    html`<div class="card slim-body">
      <${Clipped}
        id=${`text:${step.id}`}
        what="text"
        text=${step.text ?? ""}
        bytes=${step.bytes}
        lines=${12}
        load=${() => wholeText(step)}
        openBig=${() => selectStep(step.id, { tab: "step" })}
      />
    </div>`}`;
}

/** A hatched row: something was there and its content is not. */
export function Hatched({ name, words, size, selected, select }) {
  return html`<div class=${`slim hatched ${selected ? "selected" : ""}`}>
    <button type="button" class="pick" aria-pressed=${String(selected)} onClick=${select}><b>${name}</b></button>
    <span class="slim-words">${words}</span>
    <span class="meta">${size}</span>
  </div>`;
}
