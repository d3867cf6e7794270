// @ts-check
/** Whether a conversation still runs, as a dot and a word. */

import { html } from "./dom.js";

/** @type {Record<string, {look: string, word: string}>} */
const STATES = {
  live: { look: "live", word: "live" },
  quiet: { look: "quiet", word: "quiet" },
  "source gone": { look: "gone", word: "source gone" },
  unknown: { look: "unknown", word: "unknown" },
};

export const lookOfState = (state) => STATES[state ?? ""] ?? { look: "unknown", word: state || "unknown" };

export function StateDot({ state }) {
  return html`<span class=${`state-dot ${lookOfState(state).look}`} aria-hidden="true" />`;
}
