// @ts-check
/** Output of a command: monospaced, with colours where the output has them. */

import { classOfStyle, parseAnsi } from "../ansi.js";
import { html } from "../dom.js";
import { visible } from "../visible_text.js";

/** More coloured pieces than this are joined without their colours. */
const MAX_PIECES = 600;

/** @param {{text: string}} props */
export function Terminal({ text }) {
  const pieces = parseAnsi(text);
  const coloured = pieces.slice(0, MAX_PIECES);
  const rest = pieces.slice(MAX_PIECES).map((piece) => piece.text).join("");
  return html`<pre class="terminal from-data" dir="auto" tabindex="0">${coloured.map((piece, at) => {
    const className = classOfStyle(piece.style);
    return className ? html`<span key=${at} class=${className}>${visible(piece.text)}</span>` : visible(piece.text);
  })}${visible(rest)}</pre>`;
}
