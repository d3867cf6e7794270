// @ts-check
/** Every stream under the one that opened it; tokens and time of a row include its children. */

import { html } from "./dom.js";
import { currentStream, overview, showStream, streamTitle, talkNumber, talkRow, talksOf } from "./conversation_state.js";
import { Icon } from "./icons.js";
import { Quality } from "./quality.js";
import { plural, tokenText } from "./sizes.js";
import { isKnown, spanText } from "./times.js";
import { walkTree } from "./tree_keys.js";
import { Text } from "./visible_text.js";

/** @typedef {import("./shapes.js").StreamRow} StreamRow */

/**
 * Streams depth first with their level; those without a known opener come last.
 * @param {StreamRow[]} streams
 * @returns {{row: StreamRow, level: number, loose: boolean}[]}
 */
export function orderStreams(streams) {
  const names = new Set(streams.map((row) => row.name));
  /** @type {Map<string, StreamRow[]>} */
  const below = new Map();
  for (const row of streams) {
    const parent = row.role !== "main" && row.parent !== row.name && names.has(row.parent) ? row.parent : "";
    below.set(parent, [...(below.get(parent) ?? []), row]);
  }
  /** @type {{row: StreamRow, level: number, loose: boolean}[]} */
  const ordered = [];
  const seen = new Set();
  const visit = (row, level, loose) => {
    if (seen.has(row.name)) return;
    seen.add(row.name);
    ordered.push({ row, level, loose });
    for (const child of below.get(row.name) ?? []) visit(child, level + 1, loose);
  };
  const roots = below.get("") ?? [];
  for (const row of roots.filter((root) => root.role === "main")) visit(row, 0, false);
  const loose = roots.filter((root) => root.role !== "main");
  for (const row of loose.filter((root) => root.role !== "internal")) visit(row, 0, true);
  for (const row of loose) visit(row, 0, true);
  for (const row of streams) visit(row, 0, true);
  return ordered;
}

/** Sum of tokens and the span of a stream with all below it. */
function rollUp(ordered, at) {
  const { level } = ordered[at];
  let end = at + 1;
  while (end < ordered.length && ordered[end].level > level) end += 1;
  const rows = ordered.slice(at, end).map((each) => each.row);
  /** @type {Record<string, number> | undefined} */
  let tokens;
  for (const row of rows) {
    if (!row.tokens) continue;
    tokens = tokens ?? {};
    for (const [key, value] of Object.entries(row.tokens)) tokens[key] = (tokens[key] ?? 0) + Number(value);
  }
  const talks = rows.flatMap((row) => talksOf(row.name));
  const starts = talks.map((talk) => talk.from).filter(isKnown);
  const ends = talks.map((talk) => talk.to).filter(isKnown);
  return { tokens, from: starts.length ? Math.min(...starts) : 0, to: ends.length ? Math.max(...ends) : 0 };
}

function openerWords(row) {
  const opener = row.opened_by[0];
  if (!opener) return row.role === "main" ? plural(row.steps, "step") : "no known opener";
  const talk = talkRow(opener.talk);
  const more = row.opened_by.length > 1 ? `, ${row.opened_by.length} candidates` : "";
  return `${talk ? `talk ${talkNumber(talk)}` : "not in a talk"}, ${plural(row.steps, "step")}${more}`;
}

function StreamItem({ ordered, at }) {
  const { row, level } = ordered[at];
  const isCurrent = currentStream.value?.name === row.name;
  const { tokens, from, to } = rollUp(ordered, at);
  const look = row.role === "main" ? "reply" : row.role === "internal" ? "none" : "agent";
  const icon = row.role === "main" ? "reply" : row.opened_by.length ? "agent" : "unresolved";
  return html`<button
    type="button"
    role="treeitem"
    aria-level=${level + 1}
    aria-selected=${String(isCurrent)}
    tabindex=${isCurrent ? 0 : -1}
    class=${`stream-item a-${look} level-${Math.min(level, 4)}`}
    onClick=${() => showStream(row.name)}
  >
    <${Icon} name=${icon} small />
    <${Text} class="stream-name" value=${streamTitle(row)} title=${row.name} />
    <span class="figures">${tokens ? tokenText(tokens) : html`<span class="muted">tokens unknown</span>`}</span>
    <span class="by">${row.opened_by[0] && html`<${Quality} quality=${row.opened_by[0].quality} dense />`}${openerWords(row)}</span>
    <span class="span">${row.role === "internal" ? "internal" : spanText(from, to)}</span>
  </button>`;
}

export function StreamsTree() {
  const ordered = orderStreams(overview.value?.streams ?? []);
  const loose = ordered.findIndex((each) => each.loose);
  const end = loose < 0 ? ordered.length : loose;
  const firstInternal = ordered.findIndex((each) => each.loose && each.row.role === "internal");
  const internal = firstInternal < 0 ? ordered.length : firstInternal;
  const items = (from, to) =>
    ordered.slice(from, to).map(({ row }, at) => html`<${StreamItem} key=${row.id} ordered=${ordered} at=${from + at} />`);
  return html`<div role="tree" aria-label="Streams" onKeyDown=${walkTree}>
      ${items(0, end)}
      ${internal > end && html`<p class="segment" role="presentation"><b>No known opener</b></p>`}
      ${items(end, internal)}
      ${internal < ordered.length && html`<p class="segment" role="presentation"><b>Started by the runtime for itself</b></p>`}
      ${items(internal, ordered.length)}
    </div>
    <p class="outline-note">Tokens and time of a row include all its children.</p>`;
}
