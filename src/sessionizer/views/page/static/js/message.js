// @ts-check
/** Whole-pane messages: loading, empty, failed. */

import { html } from "./dom.js";
import { visible } from "./visible_text.js";

/** Three grey blocks, with the word for a screen reader. */
export function Loading({ what }) {
  return html`<div class="blocks" role="status"><span class="only-read">Loading ${what}</span><i /><i /><i /></div>`;
}

export function Empty({ title, children }) {
  return html`<section class="message"><h2>${title}</h2>${children}</section>`;
}

/** @param {{title: string, error: Error, retry?: () => void, children?: any}} props */
export function Failed({ title, error, retry = undefined, children = undefined }) {
  return html`<section class="message failed" role="alert">
    <h2>${title}</h2>
    <p><code class="from-data" dir="auto">${visible(error.message)}</code></p>
    ${children}
    ${retry && html`<button type="button" class="link" onClick=${retry}>Try again</button>`}
  </section>`;
}
