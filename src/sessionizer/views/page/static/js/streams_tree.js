// @ts-check
/** Every stream under the one that opened it; tokens and time of a row include its children. */

import { html, useMemo } from "./dom.js";
import { currentStream, overview, showStream, streamRow, streamTitle, talkNumber, talkRow, talksOf } from "./conversation_state.js";
import { Icon } from "./icons.js";
import { Quality } from "./quality.js";
import { plural, tokenText } from "./sizes.js";
import { isKnown, spanText } from "./times.js";
import { panelOf } from "./tabs.js";
import { walkTree } from "./tree_keys.js";
import { firstLine, Text, visible } from "./visible_text.js";
import { Windowed } from "./windowed.js";

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
  const parent = streamTitle(streamRow(opener.stream)) || opener.stream || "no known stream";
  return `in ${visible(firstLine(parent, 40))}, ${talk ? `talk ${talkNumber(talk)}` : "not in a talk"}, ${plural(row.steps, "step")}${more}`;
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
    <span class="by from-data" title=${openerWords(row)}>${row.opened_by[0] && html`<${Quality} quality=${row.opened_by[0].quality} dense />`}${openerWords(row)}</span>
    <span class="span">${row.role === "internal" ? "internal" : spanText(from, to)}</span>
  </button>`;
}

/** Heads of the groups that have no opener. */
const GROUPS = { loose: "No known opener", internal: "Started by the runtime for itself" };

const groupOf = ({ loose, row }) => (!loose ? "" : row.role === "internal" ? "internal" : "loose");

export function StreamsTree() {
  const streams = overview.value?.streams;
  const items = useMemo(() => {
    const ordered = orderStreams(streams ?? []);
    return ordered.flatMap((each, at) => {
      const group = each.level === 0 ? groupOf(each) : "";
      const item = { key: each.row.id, height: 45, ordered, at, group: "" };
      const isFirst = group && (at === 0 || !ordered.slice(0, at).some((before) => before.level === 0 && groupOf(before) === group));
      return isFirst ? [{ key: `group:${group}`, height: 33, ordered, at, group }, item] : [item];
    });
  }, [streams]);
  const draw = (item) =>
    item.group
      ? html`<p class="segment"><b>${GROUPS[item.group]}</b></p>`
      : html`<${StreamItem} ordered=${item.ordered} at=${item.at} />`;
  return html`<${Windowed}
    items=${items}
    draw=${draw}
    follow=${currentStream.value?.id ?? ""}
    pane=${{ class: "outline-scroll", ...panelOf("outline", "streams") }}
    list=${{ role: "tree", "aria-label": "Streams", onKeyDown: walkTree }}
    after=${html`<p class="outline-note">Tokens and time of a row include all its children.</p>`}
  />`;
}
