// @ts-check
/** The JSON surface of the server. Every function rejects with an `ApiError`. */

/** A request that was not answered with JSON and status 200. */
export class ApiError extends Error {
  /**
   * @param {number} status HTTP status, 0 when the server could not be reached.
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
async function readJson(path) {
  let answer;
  try {
    answer = await fetch(path, { headers: { Accept: "application/json" } });
  } catch {
    throw new ApiError(0, "The server does not answer. Is asz view still running?");
  }
  let body;
  try {
    body = await answer.json();
  } catch {
    throw new ApiError(answer.status, `The answer of ${path} is not JSON (status ${answer.status}).`);
  }
  if (!answer.ok) {
    throw new ApiError(answer.status, String(body?.error ?? `status ${answer.status}`));
  }
  return body;
}

/** @param {string} id */
const conversationPath = (id) => `/api/c/${encodeURIComponent(id)}`;

/** @returns {Promise<{note: string}>} What is said of everything that is served. */
export const readAbout = () => readJson("/api/about");

/** @returns {Promise<import("./shapes.js").ConversationRow[]>} */
export const readConversations = () => readJson("/api/conversations");

/**
 * @param {string} id
 * @returns {Promise<import("./shapes.js").Overview>}
 */
export const readOverview = (id) => readJson(conversationPath(id));

/**
 * @param {string} id
 * @returns {Promise<{rounds: number, digest: string, through_seq: number}>}
 */
export const readHead = (id) => readJson(`${conversationPath(id)}/head`);

/**
 * @param {string} id
 * @param {string} talk
 * @returns {Promise<import("./shapes.js").TreeNode>}
 */
export const readTalk = (id, talk) =>
  readJson(`${conversationPath(id)}/talk/${talk.split("/").map(encodeURIComponent).join("/")}`);

/**
 * @param {string} id
 * @returns {Promise<import("./shapes.js").TreeNode[]>}
 */
export const readOutside = (id) => readJson(`${conversationPath(id)}/outside`);

/**
 * Every step with its talk and without content.
 * @param {string} id
 * @returns {Promise<{id: string, talk: string}[]>}
 */
export const readFlow = (id) => readJson(`${conversationPath(id)}/flow`);

/** @returns {Promise<{dialect: string, terms: Record<string, any>, fields: Record<string, string>}>} */
export const readGlossary = () => readJson("/api/glossary");

/** Records kept in memory; they never change once landed. */
const RECORDS_KEPT = 40;
/** @type {Map<string, Promise<import("./shapes.js").RecordAnswer>>} */
const records = new Map();

/**
 * The landed record at a position, whole.
 * @param {string} id
 * @param {import("./shapes.js").Ref} ref
 * @returns {Promise<import("./shapes.js").RecordAnswer>}
 */
export function readRecord(id, ref) {
  const session = ref.session ? `?session=${encodeURIComponent(ref.session)}` : "";
  const path = `${conversationPath(id)}/record/${ref.seq}/${ref.row}${session}`;
  const known = records.get(path);
  if (known) return known;
  const asked = readJson(path);
  records.set(path, asked);
  asked.catch(() => records.delete(path));
  if (records.size > RECORDS_KEPT) records.delete(records.keys().next().value ?? "");
  return asked;
}

/** @param {string} id */
export const eventsPath = (id) => `${conversationPath(id)}/events`;
