// @ts-check
/** The whole text or result of a step, fetched from its landed records. */

import { readRecord } from "./api.js";
import { conversationId } from "./conversation_state.js";
import { resultAt, textAt } from "./record_text.js";
import { byteLength } from "./sizes.js";

/** A preview is at most 2000 bytes and ends between characters; less than this was never cut. */
const FULL_PREVIEW_BYTES = 1990;

/**
 * Whether the server sent only the beginning of a text.
 * @param {string} text
 * @param {number | undefined} size Size of the whole, when the server states it.
 */
export function isCut(text, size) {
  const here = byteLength(text);
  return here >= FULL_PREVIEW_BYTES && (size === undefined || here < size);
}

/** @typedef {import("./shapes.js").TreeNode} TreeNode */

/**
 * @param {TreeNode} step
 * @returns {Promise<string>}
 */
export async function wholeText(step) {
  if (!step.ref) return step.text ?? "";
  const answer = await readRecord(conversationId, step.ref);
  return textAt(answer.record, step.ref.block);
}

/**
 * The result of a tool, or what a child returned: the first later reference that holds one.
 * @param {TreeNode} step
 * @returns {Promise<string>}
 */
export async function wholeResult(step) {
  for (const ref of (step.refs ?? []).slice(1)) {
    const answer = await readRecord(conversationId, ref);
    const text = resultAt(answer.record, ref.block);
    if (text !== undefined) return text;
  }
  return step.result ?? "";
}
