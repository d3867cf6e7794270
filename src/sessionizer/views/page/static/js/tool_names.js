// @ts-check
/**
 * Words of the agent's tools that the page draws in their own way. Every other tool gets the
 * general card, so an unknown name is never an error.
 */

const DECISIONS = new Set(["AskUserQuestion", "ExitPlanMode"]);

/** Tools that ask the person something. */
export const isDecision = (name) => DECISIONS.has(name ?? "");

/** @type {Record<string, string>} */
const CARDS = {
  Bash: "command",
  BashOutput: "command",
  PowerShell: "command",
  Edit: "diff",
  MultiEdit: "diff",
  Write: "write",
  NotebookEdit: "diff",
  Read: "read",
  AskUserQuestion: "question",
  ExitPlanMode: "plan",
  TodoWrite: "todos",
  Task: "agent",
  Agent: "agent",
  Workflow: "agent",
};

/** Which card a tool gets: its own or `general`. */
export const cardOf = (name) => (Object.hasOwn(CARDS, name ?? "") ? CARDS[name ?? ""] : "general");

/** Keys of an input that say best what a call is about, first that is there. */
const TELLING = [
  "command", "file_path", "notebook_path", "pattern", "query", "url", "path", "description", "skill",
  "name", "subject", "prompt", "bash_id", "task_id",
];

/**
 * The one argument that stands in the head of a card.
 * @param {any} input Parsed input, or undefined.
 * @param {string | undefined} text Input as text.
 * @returns {string}
 */
export function argumentOf(input, text) {
  if (input && typeof input === "object" && !Array.isArray(input)) {
    for (const key of TELLING) {
      if (typeof input[key] === "string" && input[key].trim()) return input[key];
    }
    const words = Object.values(input).find((value) => typeof value === "string" && value.trim());
    if (typeof words === "string") return words;
    return Object.keys(input).length ? JSON.stringify(input) : "";
  }
  return text && text !== "{}" ? text : "";
}

/**
 * The parsed input of a tool: given by the server, else parsed from the text when it is whole.
 * @param {import("./shapes.js").TreeNode} step
 */
export function inputOf(step) {
  if (step.input !== undefined) return step.input;
  if (!step.text) return undefined;
  try {
    return JSON.parse(step.text);
  } catch {
    return undefined;
  }
}

/** The exit code that a failed command's output begins with, or undefined. */
export function exitCodeOf(result) {
  const match = /^(?:Error: )?Exit code (\d+)/.exec(result ?? "");
  return match ? Number(match[1]) : undefined;
}

/** Whether a failed call was refused by the person rather than by the tool. */
export const isRefusal = (result) => /^The user doesn't want to (?:proceed|take this action)/.test(result ?? "");
