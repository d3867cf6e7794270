// @ts-check
/** The transcript as a flat list of rows: what a virtual list can show. Pure. */

import { DEPTHS, lookOf } from "./kinds.js";
import { isBefore, openingOf, replyOf } from "./talk_tree.js";
import { isDecision } from "./agent_words.js";
import { isKnown, QUIET_MS } from "./times.js";

/** @typedef {import("./shapes.js").TalkRow} TalkRow */
/** @typedef {import("./shapes.js").TreeNode} TreeNode */

/**
 * @typedef {Object} Row
 * @property {string} key
 * @property {"quiet"|"ruler"|"talk"|"opening"|"more"|"strip"|"loading"|"failed"|"step"|"hidden"|"fold"|"reply"|"outside"|"unresolved"} type
 * @property {number} height Guess, pixels.
 * @property {TalkRow} [talk]
 * @property {TreeNode} [step]
 * @property {number} [ms]
 * @property {number} [number]
 * @property {Error} [error]
 * @property {import("./shapes.js").OpenEntry} [entry]
 */

/** Steps in an open fold from which on a second fold button stands at its end. */
const LONG_FOLD = 8;

/** From which depth on a step shows; what asks the person something shows with the messages. */
export function depthOf(step) {
  if (step.kind === "tool" && isDecision(step.name ?? step.attrs?.name)) return 1;
  return lookOf(step.kind).depth;
}

/** @param {TreeNode} step */
function guessHeight(step) {
  if (step.kind === "tool") return step.result ? 190 : 90;
  if (step.kind === "agent.call") return 60;
  if (step.kind === "message.assistant") return 90;
  return 34;
}

/**
 * @param {Object} input
 * @param {TalkRow[]} input.talks Talks of one stream, in order.
 * @param {TreeNode[]} input.outside Steps of the stream that lie in no talk.
 * @param {Map<string, import("./conversation_state.js").LoadedTalk>} input.loaded
 * @param {Set<string>} input.unfolded
 * @param {string} input.depth
 * @param {import("./shapes.js").OpenEntry[]} input.unresolved Shown at the end, from tools on.
 * @returns {Row[]}
 */
export function buildRows({ talks, outside, loaded, unfolded, depth, unresolved }) {
  const level = DEPTHS.indexOf(depth);
  /** @type {Row[]} */
  const rows = [];
  const rulers = outside.filter((step) => step.kind === "epoch.boundary");
  let placed = 0;
  let lastEnd = 0;
  talks.forEach((talk, index) => {
    while (placed < rulers.length && isBefore(rulers[placed], talk)) {
      const ruler = rulers[placed];
      addQuiet(rows, ruler.id, lastEnd, ruler.at);
      rows.push({ key: `step:${ruler.id}`, type: "ruler", height: 34, step: ruler });
      lastEnd = Math.max(lastEnd, ruler.at);
      placed += 1;
    }
    addQuiet(rows, talk.id, lastEnd, talk.from);
    lastEnd = Math.max(lastEnd, talk.to);
    rows.push({ key: `talk:${talk.id}`, type: "talk", height: 30, talk, number: index + 1 });
    rows.push({ key: `opening:${talk.id}`, type: "opening", height: 92, talk });
    addFold(rows, talk, loaded.get(talk.id), unfolded.has(talk.id), level);
    if (level >= 1 && talk.reply) rows.push({ key: `reply:${talk.id}`, type: "reply", height: 130, talk });
  });
  if (level >= 1 || !talks.length) addOutside(rows, outside, rulers.slice(0, placed), unfolded.has("outside") || !talks.length, level);
  if (level >= 2) {
    for (const entry of unresolved) {
      rows.push({ key: `open:${entry.kind}:${entry.ref}`, type: "unresolved", height: 70, entry });
    }
  }
  return rows;
}

/** A line for a long time without a record, when both its ends are known. */
function addQuiet(rows, id, from, to) {
  if (isKnown(from) && isKnown(to) && to - from > QUIET_MS) {
    rows.push({ key: `quiet:${id}`, type: "quiet", height: 30, ms: to - from });
  }
}

/** What stands between the opening of a talk and its reply. */
function addFold(rows, talk, loaded, isOpen, level) {
  const steps = loaded?.steps;
  if (level === 0) {
    const opening = steps && openingOf(steps);
    const more = (steps ?? []).filter((step) => step.kind === "message.external" && step !== opening);
    for (const step of more) rows.push({ key: `step:${step.id}`, type: "step", height: 80, step, talk });
    const kinds = (talk.kinds ?? []).map((kind) => ({ kind }));
    const first = openingOf(kinds);
    const typed = kinds.filter((step) => step.kind === "message.external" && step !== first).length;
    if (!steps && typed > 0) rows.push({ key: `more:${talk.id}`, type: "more", height: 30, talk, number: typed });
    return;
  }
  rows.push({ key: `strip:${talk.id}`, type: "strip", height: 42, talk });
  if (!isOpen) return;
  if (!loaded || loaded.status === "loading") {
    rows.push({ key: `loading:${talk.id}`, type: "loading", height: 42, talk });
    return;
  }
  if (loaded.status === "failed" || !steps) {
    rows.push({ key: `failed:${talk.id}`, type: "failed", height: 42, talk, error: loaded.error });
    return;
  }
  const opening = openingOf(steps);
  const reply = talk.reply ? replyOf(steps) : undefined;
  const inside = steps.filter((step) => step !== opening && step !== reply);
  const hidden = addSteps(rows, inside, level, talk);
  if (hidden) rows.push({ key: `hidden:${talk.id}`, type: "hidden", height: 30, talk, number: hidden });
  if (inside.length - hidden > LONG_FOLD) rows.push({ key: `fold:${talk.id}`, type: "fold", height: 30, talk });
}

/** The last moment that the records of a step prove; a call lasts until its result. */
const endOf = (step) => (isKnown(step.at) ? step.at + (step.request_to_result_ms ?? 0) : 0);

/** Adds the steps that show at `level`, with quiet lines between; returns how many do not show. */
function addSteps(rows, steps, level, talk) {
  let hidden = 0;
  let before = 0;
  for (const step of steps) {
    if (depthOf(step) > level) {
      hidden += 1;
      continue;
    }
    addQuiet(rows, step.id, before, step.at);
    before = Math.max(before, endOf(step));
    rows.push({ key: `step:${step.id}`, type: "step", height: guessHeight(step), step, talk });
  }
  return hidden;
}

/** The steps that lie in no talk, folded at the end; open when there is no talk at all. */
function addOutside(rows, outside, shownAsRulers, isOpen, level) {
  const rest = outside.filter((step) => !shownAsRulers.includes(step));
  if (!rest.length) return;
  rows.push({ key: "outside", type: "outside", height: 42, number: rest.length });
  if (!isOpen) return;
  const hidden = addSteps(rows, rest, level, undefined);
  if (hidden) rows.push({ key: "hidden:outside", type: "hidden", height: 30, number: hidden });
}
