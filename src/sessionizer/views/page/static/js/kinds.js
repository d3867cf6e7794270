// @ts-check
/** What each kind of node is called, its accent, its icon, and from which depth on it shows. */

/** Depths of the transcript, each shows what the one before shows and more. */
export const DEPTHS = ["prompts", "messages", "tools", "everything"];

/**
 * @typedef {Object} KindLook
 * @property {string} accent Class suffix: one accent per row.
 * @property {string} icon
 * @property {string} word
 * @property {number} depth Index into `DEPTHS`.
 * @property {string} bar Fill of its little bar: model, tool, agent, person, reply, harness, bad.
 */

/** @type {Record<string, KindLook>} */
const KINDS = {
  "message.external": { accent: "person", icon: "person", word: "Person", depth: 0, bar: "person" },
  "message.assistant": { accent: "reply", icon: "reply", word: "Agent response", depth: 1, bar: "reply" },
  "agent.output": { accent: "agent", icon: "reply", word: "Child output", depth: 1, bar: "agent" },
  "message.synthetic": { accent: "bad", icon: "cross", word: "Client-made message", depth: 1, bar: "bad" },
  "error.api": { accent: "bad", icon: "warn", word: "Provider error", depth: 1, bar: "bad" },
  "control.interrupt": { accent: "bad", icon: "cross", word: "Interruption", depth: 1, bar: "bad" },
  tool: { accent: "tool", icon: "terminal", word: "Tool use", depth: 2, bar: "tool" },
  "agent.call": { accent: "agent", icon: "agent", word: "Agent call", depth: 2, bar: "agent" },
  "runtime.notification": { accent: "agent", icon: "background", word: "Runtime notification", depth: 2, bar: "agent" },
  thinking: { accent: "model", icon: "thinking", word: "Reasoning", depth: 2, bar: "model" },
  "context.injection": { accent: "harness", icon: "injected", word: "Context put in", depth: 2, bar: "harness" },
  "epoch.boundary": { accent: "harness", icon: "reset", word: "Context reset", depth: 1, bar: "harness" },
  "epoch.summary": { accent: "harness", icon: "reset", word: "Carried-forward summary", depth: 2, bar: "harness" },
  "llm.call": { accent: "model", icon: "model", word: "Model call", depth: 3, bar: "model" },
  "agent.launch_ack": { accent: "agent", icon: "agent", word: "Launch acknowledgement", depth: 3, bar: "agent" },
  "turn.duration": { accent: "harness", icon: "clock", word: "Turn duration", depth: 3, bar: "harness" },
  "control.permission": { accent: "harness", icon: "question", word: "Permission decision", depth: 2, bar: "harness" },
  "control.command": { accent: "harness", icon: "terminal", word: "Runtime command", depth: 3, bar: "harness" },
  "control.notice": { accent: "harness", icon: "injected", word: "Runtime notice", depth: 3, bar: "harness" },
};

const STRUCTURE = new Set(["conversation", "segment", "session", "stream", "epoch", "talk", "run"]);

/** Whether nodes of this kind hold steps and are none themselves. */
export const isStructure = (kind) => STRUCTURE.has(kind);

/**
 * Steps among the counts of all kinds.
 * @param {Record<string, number>} kinds
 */
export const stepCount = (kinds) =>
  Object.entries(kinds).reduce((sum, [kind, number]) => (isStructure(kind) ? sum : sum + number), 0);

/**
 * The look of a kind; an unknown kind is shown under its own name.
 * @param {string} kind
 * @returns {KindLook}
 */
export function lookOf(kind) {
  return Object.hasOwn(KINDS, kind)
    ? KINDS[kind]
    : { accent: "harness", icon: "injected", word: kind, depth: 2, bar: "harness" };
}

/** Content states other than `available`, in words. @type {Record<string, string>} */
const STATES = {
  truncated: "cut when it was kept",
  redacted: "redacted",
  omitted: "left out, kept elsewhere",
  hash_only: "only its digest was kept",
  size_only: "only its size was kept",
  unavailable: "not in the record",
};

/** @param {string | undefined} state */
export function stateWords(state) {
  if (!state || state === "available") return "";
  return Object.hasOwn(STATES, state) ? STATES[state] : state.replaceAll("_", " ");
}
