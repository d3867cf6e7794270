// @ts-check
/** How well a link is known: one glyph and one word per quality. */

import { html } from "./dom.js";

/** @type {Record<string, {look: string, says: string}>} */
const QUALITIES = {
  exact_unique: { look: "exact", says: "One key, one match on each side." },
  strong_inference: { look: "strong", says: "No key. Time, place or text agree, and nothing else fits." },
  weak_inference: { look: "weak", says: "No key. Something agrees, other things could fit." },
  exact_ambiguous: { look: "ambiguous", says: "A key that matches more than once. Every candidate is kept." },
  unresolved: { look: "unresolved", says: "A record names it, no landed record is it." },
  conflict: { look: "conflict", says: "Two records say different things. Both are shown." },
};

/** @param {string} quality */
const known = (quality) =>
  Object.hasOwn(QUALITIES, quality) ? QUALITIES[quality] : { look: "weak", says: "A quality this page does not know." };

/** @param {string} quality */
export const qualityWords = (quality) => known(quality).says;

/** Two ends and how they are joined. */
function Glyph({ look }) {
  const end = (x) => html`<circle cx=${x} cy="5" r="2.5" fill="currentColor" stroke="none" />`;
  const open = html`<circle cx="22" cy="5" r="2.5" stroke-dasharray="1.5 1.6" />`;
  if (look === "exact") return html`<svg viewBox="0 0 26 10" aria-hidden="true">${end(4)}${end(22)}<path d="M6 5h14" /></svg>`;
  if (look === "strong") {
    return html`<svg viewBox="0 0 26 10" aria-hidden="true">${end(4)}${end(22)}<path d="M7 5h12" stroke-dasharray="3 2.2" /></svg>`;
  }
  if (look === "ambiguous") {
    return html`<svg viewBox="0 0 26 10" aria-hidden="true"
      >${end(4)}<path d="M7 5h6l6-2.6M13 5l6 2.6" stroke-dasharray="3 1.5" /><circle cx="21.5" cy="2.4" r="1.8" /><circle cx="21.5" cy="7.6" r="1.8"
    /></svg>`;
  }
  if (look === "unresolved") {
    return html`<svg viewBox="0 0 26 10" aria-hidden="true">${end(4)}${open}<path d="M8 5h11" stroke-dasharray="1 2" /></svg>`;
  }
  if (look === "conflict") {
    return html`<svg viewBox="0 0 26 10" aria-hidden="true"
      >${end(4)}${end(22)}<path d="M6 5h4M16 5h4M11 3l4 4M15 3l-4 4"
    /></svg>`;
  }
  return html`<svg viewBox="0 0 26 10" aria-hidden="true">${end(4)}${end(22)}<path d="M7 5h12" stroke-dasharray="1 2.2" /></svg>`;
}

/**
 * The badge: glyph and word; in dense places only the glyph, with the word in its name.
 * @param {{quality: string, dense?: boolean}} props
 */
export function Quality({ quality, dense = false }) {
  const { look, says } = known(quality);
  if (dense) {
    return html`<span class=${`quality ${look}`} role="img" aria-label=${quality} title=${`${quality}: ${says}`}
      ><${Glyph} look=${look}
    /></span>`;
  }
  return html`<span class=${`quality ${look}`} title=${says}><${Glyph} look=${look} />${quality}</span>`;
}
