// @ts-check
/** Cards of steps: head in one order (tool, argument, state, size, time), body, foot. */

import { html } from "../dom.js";
import { CopyButton } from "../copy.js";
import { Icon } from "../icons.js";
import { visible, visibleParts } from "../visible_text.js";
import { conversationId, currentStream, streamRow } from "../conversation_state.js";
import { conversationUrl } from "../urls.js";

/** Address of a step, for pasting elsewhere. */
export function linkOf(step, talk) {
  const main = streamRow("main")?.name ?? "main";
  const stream = step.stream ?? currentStream.value?.name ?? main;
  const path = conversationUrl(conversationId, { talk: talk ?? "", step: step.id, stream: stream === main ? "" : stream });
  return `${window.location.origin}${path}`;
}

/** A red word with a cross. */
export const Bad = ({ children }) => html`<span class="failed-mark"><${Icon} name="cross" small />${children}</span>`;

/**
 * @param {{step: any, talk?: string, name: any, argument?: string, note?: string, meta?: any,
 *   selected?: boolean, select?: () => void, class?: string, children?: any}} props
 */
export function Card({ step, talk, name, argument = "", note = "", meta, selected = false, select, class: className = "", children }) {
  return html`<section class=${`card ${className} ${selected ? "selected" : ""}`}>
    <header>
      <button type="button" class="pick" aria-pressed=${String(selected)} onClick=${select}>
        <b class="from-data">${typeof name === "string" ? visibleParts(name) : name}</b>
        ${argument && html`<code class="from-data" dir="auto">${visible(oneLine(argument))}</code>`}
        ${note && html`<span class="note from-data" dir="auto">${visible(note)}</span>`}
      </button>
      <span class="on-hover">
        <${CopyButton} what="link to this step" icon="anchor" text=${() => linkOf(step, talk)} />
      </span>
      <span class="meta">${meta}</span>
    </header>
    ${children}
  </section>`;
}

/** A text on one line, cut at 300 code units; the whole stands in the body. */
export function oneLine(text, limit = 300) {
  const line = text.replace(/\s*\n\s*/g, " ⏎ ").trim();
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
}
