// @ts-check
/**
 * Words of the agent that the page reads: names of tools with a card of their own, marks at the
 * start of texts. Anything else is shown as it stands, so an unknown word is never an error.
 */

import { tokenCount } from "./sizes.js";
import { firstLine } from "./visible_text.js";

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
  "command", "file_path", "notebook_path", "pattern", "query", "url", "path", "subject", "description",
  "skill", "name", "prompt", "bash_id", "task_id",
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

/** Known injections in words. @type {Record<string, string>} */
const INJECTIONS = {
  total_tokens: "remaining token budget",
  todo_reminder: "task list again",
  task_reminder: "reminder about a running task",
  edited_text_file: "file changed on disk",
  queued_command: "message sent while the agent worked",
  ultra_effort_enter: "effort mode on",
  ultra_effort_exit: "effort mode off",
  deferred_tools_delta: "tool list changed",
  agent_listing_delta: "list of agents changed",
  nested_memory: "memory from another file",
  date_change: "the date changed",
  command_permissions: "permission decision",
  compact_file_reference: "pointer left by compaction",
  read_truncation_notice: "file read cut short",
  invoked_skills: "skill loaded",
  auto_mode: "auto mode changed",
  file: "file attached",
  system_reminder: "reminder of the harness",
  command_message: "command run in line",
};

/**
 * What an injection is, read from the start of its text.
 * @param {string | undefined} text
 * @returns {string}
 */
export function injectionWords(text) {
  const start = String(text ?? "").trimStart();
  const typed = /^\{"type":"([A-Za-z0-9_]+)"/.exec(start) ?? /^<([a-z][a-z0-9_-]*)>/.exec(start);
  if (typed) {
    const type = typed[1].replaceAll("-", "_");
    return Object.hasOwn(INJECTIONS, type) ? INJECTIONS[type] : type.replaceAll("_", " ");
  }
  for (const line of start.split("\n")) {
    const bare = line.replace(/^[-*#\s]+/, "").trim();
    if (bare) return bare.length > 60 ? `${bare.slice(0, 60)}…` : bare;
  }
  return "";
}

/**
 * A command as it was typed, from the marks of its record: its name and what was given to it.
 * @param {string} text
 * @param {string | undefined} name The name, for a record that has no text.
 * @returns {string}
 */
export function typedCommand(text, name) {
  if (text.startsWith("{")) return name || text;
  const marked = /<command-name>([^<]*)<\/command-name>/.exec(text);
  if (!marked) return text;
  const given = /<command-args>([\s\S]*?)(?:<\/command-args>\s*(?=<command-|$)|$)/.exec(text);
  return [marked[1].trim(), given?.[1].trim()].filter(Boolean).join(" ");
}

/**
 * What a runtime notification says: its summary when it marks one, else its first line.
 * @param {string | undefined} text
 * @returns {string}
 */
export function notificationWords(text) {
  const marked = /<summary>([^<]+)<\/summary>/.exec(text ?? "") ?? /<status>([^<]+)<\/status>/.exec(text ?? "");
  if (marked) return marked[1].trim();
  const wrapped = /^\s*<[a-z-]+>([^<]+)<\/[a-z-]+>\s*$/.exec(text ?? "");
  return wrapped ? wrapped[1].trim() : "";
}

/**
 * What a notice of the runtime says: its kind when it is a record, else its first line.
 * @param {string | undefined} text
 * @returns {string}
 */
export function noticeWords(text) {
  if (!text?.startsWith("{")) return firstLine(text);
  const kind = /"subtype":"(\w+)"/.exec(text) ?? /"type":"(\w+)"/.exec(text);
  return kind ? kind[1].replaceAll("_", " ") : firstLine(text);
}

/**
 * What a reset of the context says, from the record it stands in; its first line when that is
 * no such record.
 * @param {import("./shapes.js").TreeNode} step
 * @returns {string}
 */
export function resetWords(step) {
  const text = step.text ?? "";
  if (!text.startsWith("{")) return firstLine(text);
  const trigger = /"trigger":"(\w+)"/.exec(text);
  const tokens = /"preTokens":(\d+)/.exec(text);
  const after = /"postTokens":(\d+)/.exec(text);
  return [
    trigger && `${trigger[1]} compaction`,
    tokens && `${tokenCount(Number(tokens[1]))} tokens before`,
    after && `${tokenCount(Number(after[1]))} after`,
  ]
    .filter(Boolean)
    .join(", ");
}
