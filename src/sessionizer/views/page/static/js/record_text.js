// @ts-check
/** The whole text of a step from its landed records, by the same rules as the server's preview. */

/** @typedef {import("./shapes.js").Part} Part */

/** JSON text of a part's data; a JSON string is shown as its value. */
const dataText = (data) => (typeof data === "string" ? data : JSON.stringify(data));

/** @param {Record<string, any>} record */
function envelopePrompt(record) {
  for (const part of record.parts ?? []) {
    const data = part?.data;
    if (data?.type !== "queued_command") continue;
    if (typeof data.prompt === "string") return data.prompt;
    if (Array.isArray(data.prompt)) {
      return data.prompt.map((piece) => piece?.text).filter((text) => typeof text === "string").join("\n");
    }
  }
  return "";
}

/**
 * The text parts of a record, else the prompt of a queued command, else nothing.
 * @param {Record<string, any>} record
 * @returns {string}
 */
export function readableText(record) {
  const texts = (record.parts ?? [])
    .filter((part) => part?.k === "text" && typeof part.text === "string")
    .map((part) => part.text);
  return texts.join("\n").trim() || envelopePrompt(record);
}

/**
 * The text at a position: of its block, of the record's only part, or of the record.
 * @param {Record<string, any>} record
 * @param {number | undefined} block
 * @returns {string}
 */
export function textAt(record, block) {
  const parts = record.parts ?? [];
  const part = block === undefined ? (parts.length === 1 ? parts[0] : undefined) : parts[block];
  if (!part) return readableText(record);
  if (typeof part.text === "string") return part.text;
  if (part.data === undefined) return "";
  return readableText(record) || dataText(part.data);
}

/**
 * The result text at a position: the part at `block`, or the record's first result.
 * @param {Record<string, any>} record
 * @param {number | undefined} block
 * @returns {string | undefined} undefined when the record holds no result.
 */
export function resultAt(record, block) {
  const parts = record.parts ?? [];
  const part = block === undefined ? parts.find((candidate) => candidate?.k === "result") : parts[block];
  if (!part) return undefined;
  if (typeof part.text === "string") return part.text;
  return part.data === undefined ? undefined : dataText(part.data);
}
