// @ts-check
/** Going to anything that an id names: a step, a talk, a stream. */

import { readFlow } from "./api.js";
import { conversationId, findNode, goToStep, goToTalk, showStream, streamRow, talkRow } from "./conversation_state.js";
import { announce } from "./live_region.js";

/** Talk of every step, asked for once a step outside the loaded talks is wanted. @type {Promise<Map<string, string>> | null} */
let talkOfStep = null;

/** @param {string} id */
async function findTalk(id) {
  talkOfStep ??= readFlow(conversationId).then((steps) => new Map(steps.map((step) => [step.id, step.talk])));
  try {
    return (await talkOfStep).get(id);
  } catch {
    talkOfStep = null;
    return undefined;
  }
}

/**
 * Shows the node with an id wherever it stands.
 * @param {string} id
 */
export async function goToReference(id) {
  const stream = streamRow(id);
  if (stream) {
    showStream(stream.name);
    return;
  }
  if (talkRow(id)) {
    goToTalk(id);
    return;
  }
  const known = findNode(id);
  const talk = known ? known.talk : await findTalk(id);
  if (talk === undefined) announce("This reference is not a step of the conversation");
  else await goToStep(id, talk);
}

/** A short name for an id in a list of links. */
export function nameOfReference(id) {
  const stream = streamRow(id);
  if (stream) return stream.role === "main" ? "main stream" : stream.label || stream.name;
  const talk = talkRow(id);
  if (talk) return talk.label || id;
  const node = findNode(id)?.node;
  if (node) return [node.name, node.text].filter(Boolean).join(" ") || id;
  return id;
}
