// @ts-check
/** Pairs of a word and its value. */

import { html } from "../dom.js";

/** @param {{rows: [string, any][]}} props Rows with an empty value are left out. */
export function Fields({ rows }) {
  return html`<dl class="fields">
    ${rows
      .filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false)
      .map(([word, value]) => html`<div key=${word}><dt>${word}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}
