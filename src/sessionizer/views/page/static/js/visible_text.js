// @ts-check
/**
 * Text from transcripts as it may be shown: control characters, bidi controls and invisible
 * characters become symbols, so that nothing can hide in a text or turn it around.
 */

import { html } from "./dom.js";

/** Named characters; the rest is named by its number. @type {Record<number, string>} */
const NAMES = {
  0x00: "NUL", 0x01: "SOH", 0x02: "STX", 0x03: "ETX", 0x04: "EOT", 0x05: "ENQ", 0x06: "ACK", 0x07: "BEL",
  0x08: "BS", 0x0b: "VT", 0x0c: "FF", 0x0d: "CR", 0x0e: "SO", 0x0f: "SI", 0x10: "DLE", 0x11: "DC1",
  0x12: "DC2", 0x13: "DC3", 0x14: "DC4", 0x15: "NAK", 0x16: "SYN", 0x17: "ETB", 0x18: "CAN", 0x19: "EM",
  0x1a: "SUB", 0x1b: "ESC", 0x1c: "FS", 0x1d: "GS", 0x1e: "RS", 0x1f: "US", 0x7f: "DEL", 0xad: "SHY",
  0x061c: "ALM", 0x180e: "MVS", 0x200b: "ZWSP", 0x200e: "LRM", 0x200f: "RLM", 0x2028: "LS", 0x2029: "PS",
  0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2060: "WJ",
  0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM",
};

const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\uddef]/g;

/** More symbols than this in one text are written without an element of their own. */
const MAX_ELEMENTS = 150;

/** The symbol for one hidden character. */
export function symbolOf(character) {
  const code = character.codePointAt(0) ?? 0;
  return `⟦${NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`}⟧`;
}

/** A carriage return before a line feed is a line end, not a hidden character. */
const joinLineEnds = (text) => (text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text);

/** `text` as one plain string, for attributes and for long bodies. */
export const visible = (text) => joinLineEnds(String(text ?? "")).replace(HIDDEN, symbolOf);

/** `text` as children of an element: strings, and a marked element per symbol. */
export function visibleParts(value) {
  const text = joinLineEnds(String(value ?? ""));
  const found = text.match(HIDDEN);
  if (!found) return text;
  if (found.length > MAX_ELEMENTS) return text.replace(HIDDEN, symbolOf);
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    parts.push(html`<span class="symbol" title=${`character U+${code}`}>${symbolOf(match[0])}</span>`);
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

/** One inline text from data, kept apart from the direction of what surrounds it. */
export function Text({ value, class: className = "", as: Tag = "span", title = undefined }) {
  return html`<${Tag} class=${className ? `from-data ${className}` : "from-data"} dir="auto" title=${title}
    >${visibleParts(value)}<//
  >`;
}

/** First line that has something on it, white space collapsed, cut to `limit` code units. */
export function firstLine(text, limit = 160) {
  const line = String(text ?? "").trimStart().split("\n", 1)[0].replace(/\s+/g, " ").trim();
  return line.length > limit ? `${line.slice(0, limit).trimEnd()}…` : line;
}
