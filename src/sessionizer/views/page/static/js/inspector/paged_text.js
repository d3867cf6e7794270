// @ts-check
/** A text of any size, a page at a time. */

import { html, useState } from "../dom.js";
import { CopyButton } from "../copy.js";
import { byteLength, bytes, plural } from "../sizes.js";
import { Terminal } from "../steps/terminal.js";

/** Code units on a page; it ends at a line end where there is one in its last third. */
const PAGE = 48_000;

/**
 * Where each page begins.
 * @param {string} text
 * @returns {number[]}
 */
export function pageStarts(text) {
  const starts = [0];
  let at = 0;
  while (text.length - at > PAGE) {
    const lineEnd = text.lastIndexOf("\n", at + PAGE - 1);
    at = lineEnd > at + PAGE * 0.66 ? lineEnd + 1 : at + PAGE;
    starts.push(at);
  }
  return starts;
}

/** @param {{text: string, what: string}} props */
export function PagedText({ text, what }) {
  const [page, setPage] = useState(0);
  const starts = pageStarts(text);
  const at = Math.min(page, starts.length - 1);
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return html`<div class="paged">
    <p class="paged-head">
      <span class="figures">${plural(lines, "line")}, ${bytes(byteLength(text))}</span>
      <span class="grow" />
      ${starts.length > 1 &&
      html`<button type="button" class="link" disabled=${at === 0} onClick=${() => setPage(at - 1)}>Previous</button>
        <span class="figures">page ${at + 1} of ${starts.length}</span>
        <button type="button" class="link" disabled=${at === starts.length - 1} onClick=${() => setPage(at + 1)}>Next</button>`}
      <${CopyButton} what=${what} text=${() => text} />
    </p>
    <div class="card"><${Terminal} text=${text.slice(starts[at], starts[at + 1])} /></div>
  </div>`;
}
