// @ts-check
/** Filtering and sorting the list. Pure. */

import { tokenTotal } from "./sizes.js";
import { firstLine } from "./visible_text.js";
import { trustOf } from "./trust_state.js";

/** @typedef {import("./shapes.js").ConversationRow} ConversationRow */

const DAY = 86_400_000;

/**
 * The title, else the first thing a person wrote, else a word that says there is none.
 * @param {ConversationRow} row
 */
export function titleOf(row) {
  const isTitled = row.title !== "" && row.title !== "(untitled)";
  const asked = firstLine(row.ask, 120);
  return { words: isTitled ? row.title : asked ? `“${asked}”` : "(untitled)", isTitled };
}

/** Talks of the conversation itself; those of its children are theirs. @param {ConversationRow} row */
export function mainTalks(row) {
  return row.main_talks ?? row.talks;
}

/** Ages that a conversation's last record may have. @type {Record<string, {word: string, ms: number}>} */
export const TIMES = {
  day: { word: "last 24 hours", ms: DAY },
  week: { word: "last 7 days", ms: 7 * DAY },
  month: { word: "last 30 days", ms: 30 * DAY },
};

/**
 * Columns by key: the word in the head, and the direction of the first click.
 * @type {Record<string, {word: string, class: string, first: "up" | "down", value: (row: ConversationRow) => number | string}>}
 */
export const COLUMNS = {
  name: { word: "Conversation", class: "name", first: "up", value: (row) => titleOf(row).words.toLocaleLowerCase() },
  state: { word: "State", class: "state", first: "up", value: (row) => row.state ?? "unknown" },
  trust: { word: "Trust", class: "trust-cell", first: "down", value: (row) => (row.error ? Infinity : row.unresolved) },
  talks: { word: "Talks", class: "number", first: "down", value: mainTalks },
  steps: { word: "Steps", class: "number steps", first: "down", value: (row) => row.steps },
  streams: { word: "Streams", class: "number", first: "down", value: (row) => row.streams },
  tokens: { word: "Tokens", class: "number", first: "down", value: (row) => tokenTotal(row.tokens) ?? -1 },
  last: { word: "Last activity", class: "number last", first: "down", value: (row) => row.to },
};

/**
 * @param {ConversationRow[]} rows
 * @param {{text: string, project: string, state: string, trust: string, time: string}} filters
 * @param {number} now
 */
export function filterRows(rows, filters, now) {
  const text = filters.text.trim().toLocaleLowerCase();
  const age = Object.hasOwn(TIMES, filters.time) ? TIMES[filters.time].ms : 0;
  return rows.filter((row) => {
    if (text && ![row.title, row.ask ?? "", row.id, row.project ?? ""].some((word) => word.toLocaleLowerCase().includes(text))) return false;
    if (filters.project && row.project !== filters.project) return false;
    if (filters.state && (row.state ?? "unknown") !== filters.state) return false;
    if (filters.trust && trustOf(row.unresolved, row.error).state !== filters.trust) return false;
    return !age || now - row.to <= age;
  });
}

/**
 * Sorted rows; equal ones go by last activity, newest first, then by id.
 * @param {ConversationRow[]} rows
 * @param {{by: string, up: boolean}} sorting
 */
export function sortRows(rows, { by, up }) {
  const { value } = COLUMNS[Object.hasOwn(COLUMNS, by) ? by : "last"];
  const sign = up ? 1 : -1;
  return [...rows].sort((one, two) => {
    const [a, b] = [value(one), value(two)];
    const order = typeof a === "string" && typeof b === "string" ? a.localeCompare(b) : Number(a) - Number(b);
    return (Number.isNaN(order) ? 0 : sign * order) || two.to - one.to || (one.id < two.id ? -1 : 1);
  });
}
