// @ts-check
/** Small facts of a talk as they stand in strips and lists. */

import { html } from "./dom.js";
import { lookOf } from "./kinds.js";
import { count } from "./sizes.js";

/** Bars of the strip: at most this many. */
const BARS = 48;

/** Heights repeat what the colour says: model low, tool tall. @type {Record<string, number>} */
const HEIGHTS = { model: 6, tool: 10, agent: 13, person: 13, reply: 10, harness: 5, bad: 13 };

/** The steps of a talk in reading order as little bars. */
export function KindBars({ kinds }) {
  if (!kinds?.length) return null;
  const bars = kinds.slice(0, BARS);
  return html`<svg class="kind-bars" width=${bars.length * 3} height="14" aria-hidden="true">
    ${bars.map((kind, at) => {
      const { bar } = lookOf(kind);
      return html`<rect key=${at} class=${`bar-fill a-${bar}`} x=${at * 3} y=${14 - HEIGHTS[bar]} width="2" height=${HEIGHTS[bar]} />`;
    })}
  </svg>`;
}

const part = (value, one, many, className = "") => html`<span class=${className}><b>${count(value)}</b> ${value === 1 ? one : many}</span>`;

/** What happened in a talk, in numbers; zeros of problems are left out. */
export function TalkCounts({ talk }) {
  const parts = talk.tools ? [part(talk.tools, "tool", "tools")] : [];
  if (talk.files) parts.push(part(talk.files, "file", "files"));
  if (talk.failed) parts.push(part(talk.failed, "failed", "failed", "bad"));
  if (talk.agents) parts.push(part(talk.agents, "agent", "agents"));
  parts.push(part(talk.steps, "step", "steps", parts.length ? "can-go" : ""));
  return parts.map((each, at) => html`${at > 0 && html`<span class="sep">·</span>`}${each}`);
}
