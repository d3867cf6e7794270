// @ts-check
/** The page's one polite live region. */

import { html, signal } from "./dom.js";

const spoken = signal("");

/** @param {string} words */
export function announce(words) {
  spoken.value = words;
}

/** Stands once on each page. */
export function LiveRegion() {
  return html`<div class="only-read" aria-live="polite">${spoken.value}</div>`;
}
