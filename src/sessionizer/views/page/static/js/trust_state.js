// @ts-check
/** How complete a conversation is, in one word. */

/**
 * @param {number} unresolved Open references.
 * @param {string} [error] Why the chain cannot be read.
 */
export function trustOf(unresolved, error) {
  if (error) return { state: "mismatch", word: "Mismatch", icon: "cross" };
  if (unresolved) return { state: "incomplete", word: "Incomplete", icon: "warn" };
  return { state: "complete", word: "Complete", icon: "tick" };
}
