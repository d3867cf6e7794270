// @ts-check
/** Lines of a file with their numbers, in two columns, so that long files stay few elements. */

import { html } from "../dom.js";
import { visible } from "../visible_text.js";

/** `   12→text` or `12<tab>text`, as a reader tool numbers its lines. */
const NUMBERED = /^ *(\d+)(?:→|\t)(.*)$/;

/**
 * The lines of a numbered listing, or null when the text is none.
 * @param {string} text
 * @returns {{numbers: number[], lines: string[]} | null}
 */
export function parseNumbered(text) {
  const numbers = [];
  const lines = [];
  const all = text.split("\n");
  for (let at = 0; at < all.length; at += 1) {
    const match = NUMBERED.exec(all[at].replace(/\r$/, ""));
    if (!match) {
      if (at < all.length - 1 || at === 0) return null;
      if (all[at] !== "") return null;
      continue;
    }
    numbers.push(Number(match[1]));
    lines.push(match[2]);
  }
  return numbers.length ? { numbers, lines } : null;
}

/** View of a text whose first line has the number `first`. */
export const numberedFrom = (first) =>
  function NumberedText({ text }) {
    const body = text.endsWith("\n") ? text.slice(0, -1) : text;
    const numbers = body.split("\n").map((_, at) => first + at);
    return html`<${Numbered} numbers=${numbers} text=${body} />`;
  };

/** @param {{numbers: number[], text: string}} props */
export function Numbered({ numbers, text }) {
  return html`<div class="numbered" tabindex="0" role="group" aria-label="File lines">
    <pre class="line-numbers" aria-hidden="true">${numbers.join("\n")}</pre>
    <pre class="from-data" dir="auto">${visible(text)}</pre>
  </div>`;
}

/** View of a numbered listing as the tool printed it; anything else as plain text. */
export function Listing({ text }) {
  const parsed = parseNumbered(text);
  if (!parsed) return html`<pre class="terminal from-data" dir="auto" tabindex="0">${visible(text)}</pre>`;
  return html`<${Numbered} numbers=${parsed.numbers} text=${parsed.lines.join("\n")} />`;
}
