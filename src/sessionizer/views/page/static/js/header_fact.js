// @ts-check
/** A value over its word; what is not known says so. */

import { html } from "./dom.js";

/** @param {{word: string, value: string, title?: string, class?: string}} props */
export function Fact({ word, value, title, class: className = "" }) {
  const isUnknown = value === "unknown" || value === "time unknown";
  return html`<div class=${className} title=${title}><dt>${word}</dt><dd class=${isUnknown ? "unknown" : ""}>${isUnknown ? "unknown" : value}</dd></div>`;
}
