// @ts-check
/** A talk's tree as a list of steps, and the small facts the transcript reads from it. Pure. */

import { isStructure } from "./kinds.js";
import { isKnown } from "./times.js";

/** @typedef {import("./shapes.js").TreeNode} TreeNode */

/** Compares two landed positions: seq, row, then block; a missing block comes first. */
export function comparePositions(one, other) {
  if (!one || !other) return one ? -1 : other ? 1 : 0;
  return (
    one.seq - other.seq || one.row - other.row || (one.block ?? -1) - (other.block ?? -1)
  );
}

/**
 * All steps below `root` in reading order: by position, not by time, because records may be
 * stamped out of order. A container without a position of its own keeps the place of its tree.
 * @param {TreeNode} root
 * @returns {TreeNode[]}
 */
export function stepsOf(root) {
  /** @type {{node: TreeNode, order: number}[]} */
  const found = [];
  const visit = (node) => {
    for (const child of node.children ?? []) {
      if (!isStructure(child.kind)) found.push({ node: child, order: found.length });
      visit(child);
    }
  };
  visit(root);
  found.sort((a, b) => comparePositions(a.node.ref, b.node.ref) || a.order - b.order);
  return found.map(({ node }) => node);
}

/**
 * Nodes of the tree by id, `root` included.
 * @param {TreeNode} root
 * @returns {Map<string, TreeNode>}
 */
export function nodesById(root) {
  /** @type {Map<string, TreeNode>} */
  const found = new Map();
  const visit = (node) => {
    found.set(node.id, node);
    for (const child of node.children ?? []) visit(child);
  };
  visit(root);
  return found;
}

/**
 * The step that is the talk's reply: the last response or child output. A client-made message
 * never is.
 * @param {TreeNode[]} steps
 * @returns {TreeNode | undefined}
 */
export function replyOf(steps) {
  return steps.findLast((step) => step.kind === "message.assistant" || step.kind === "agent.output");
}

/** What may stand before the command that opens a talk. */
const BEFORE_COMMAND = new Set(["context.injection", "control.notice", "epoch.boundary", "epoch.summary"]);

/**
 * What a person began the talk with: a message, or a command that nothing else came before. A
 * message that was queued while the agent worked began nothing.
 * @template {{kind: string, attrs?: Record<string, any>}} Step
 * @param {Step[]} steps In reading order.
 * @returns {Step | undefined}
 */
export function openingOf(steps) {
  let mayBeCommand = true;
  for (const step of steps) {
    if (step.kind === "message.external" && step.attrs?.queue === undefined) return step;
    if (step.kind === "control.command" && mayBeCommand) return step;
    mayBeCommand = mayBeCommand && BEFORE_COMMAND.has(step.kind);
  }
  return undefined;
}

/**
 * Whether a step outside talks stands before a talk: by position where both are known, else by
 * time. Without either nobody knows, and it does not.
 * @param {TreeNode} step
 * @param {import("./shapes.js").TalkRow} talk
 */
export function isBefore(step, talk) {
  if (step.ref && talk.ref) return comparePositions(step.ref, talk.ref) < 0;
  return isKnown(step.at) && isKnown(talk.from) && step.at <= talk.from;
}
