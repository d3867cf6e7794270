// @ts-check
/**
 * What an agent wrote, laid out: paragraphs, lists, headings, code. Read from Markdown into
 * elements that hold text only; links and HTML stay the characters they are.
 */

import { html } from "./dom.js";
import { visible, visibleParts } from "./visible_text.js";

const FENCE = /^\s*(```+|~~~+)\s*([\w+#.-]*)\s*$/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const BULLET = /^(\s*)[-*+]\s+(.*)$/;
const NUMBERED = /^(\s*)(\d{1,9})[.)]\s+(.*)$/;
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const INLINE = /(`+)([^\n]+?)\1(?!`)|\*\*([^\s*](?:[^\n]*?[^\s*])?)\*\*|(?<![\w*])\*([^\s*](?:[^\n*]*[^\s*])?)\*(?![\w*])/g;

/**
 * @typedef {{type: "text" | "heading" | "quote", lines: string[]}
 *   | {type: "code" | "table", lines: string[], language?: string}
 *   | {type: "list", items: {mark: string, level: number, lines: string[]}[]}
 *   | {type: "rule"}} Block
 */

/**
 * @param {string} text
 * @returns {Block[]}
 */
export function parseProse(text) {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  /** @type {Block[]} */
  const blocks = [];
  /** @type {any} */
  let open = null;
  const start = (block) => {
    blocks.push(block);
    open = block;
    return block;
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    const fence = FENCE.exec(line);
    if (fence) {
      const code = [];
      for (at += 1; at < lines.length && lines[at].trim() !== fence[1]; at += 1) code.push(lines[at]);
      blocks.push({ type: "code", lines: code, language: fence[2] });
      open = null;
      continue;
    }
    if (!line.trim()) {
      open = open?.type === "list" ? open : null;
      continue;
    }
    const heading = HEADING.exec(line);
    const item = BULLET.exec(line) ?? NUMBERED.exec(line);
    if (RULE.test(line)) {
      blocks.push({ type: "rule" });
      open = null;
    } else if (heading) {
      blocks.push({ type: "heading", lines: [heading[2]] });
      open = null;
    } else if (item) {
      const isNumbered = item.length === 4;
      const list = open?.type === "list" ? open : start({ type: "list", items: [] });
      list.items.push({
        mark: isNumbered ? `${item[2]}.` : "",
        level: Math.min(3, Math.floor(item[1].replaceAll("\t", "  ").length / 2)),
        lines: [isNumbered ? item[3] : item[2]],
      });
    } else if (line.trimStart().startsWith("|") && line.trimEnd().endsWith("|")) {
      (open?.type === "table" ? open : start({ type: "table", lines: [] })).lines.push(line.trim());
    } else if (line.trimStart().startsWith(">")) {
      const quoted = line.trimStart().replace(/^>\s?/, "");
      (open?.type === "quote" ? open : start({ type: "quote", lines: [] })).lines.push(quoted);
    } else if (open?.type === "list" && /^\s/.test(line)) {
      open.items[open.items.length - 1].lines.push(line.trim());
    } else {
      (open?.type === "text" ? open : start({ type: "text", lines: [] })).lines.push(line);
    }
  }
  return blocks;
}

/** Code spans, bold and emphasis inside a line; everything else is text. */
function inline(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) parts.push(visibleParts(text.slice(end, match.index)));
    if (match[2] !== undefined) parts.push(html`<code>${visibleParts(match[2])}</code>`);
    else if (match[3] !== undefined) parts.push(html`<strong>${visibleParts(match[3])}</strong>`);
    else parts.push(html`<em>${visibleParts(match[4])}</em>`);
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(visibleParts(text.slice(end)));
  return parts;
}

const joined = (lines) => inline(lines.join("\n"));

function ProseBlock({ block }) {
  if (block.type === "rule") return html`<hr />`;
  if (block.type === "heading") return html`<p class="heading from-data" dir="auto">${joined(block.lines)}</p>`;
  if (block.type === "quote") return html`<blockquote class="from-data" dir="auto">${joined(block.lines)}</blockquote>`;
  if (block.type === "code" || block.type === "table") {
    return html`<pre class="from-data" dir="auto" tabindex="0">${visible(block.lines.join("\n"))}</pre>`;
  }
  if (block.type === "list") {
    return html`<ul>
      ${block.items.map(
        (item, at) => html`<li key=${at} class=${`level-${item.level} from-data`} dir="auto">
          <span class="item-mark">${item.mark || "–"}</span><span>${joined(item.lines)}</span>
        </li>`,
      )}
    </ul>`;
  }
  return html`<p class="from-data" dir="auto">${joined(block.lines)}</p>`;
}

/** @param {{text: string}} props */
export function Prose({ text }) {
  return html`<div class="prose">
    ${parseProse(text).map((block, at) => html`<${ProseBlock} key=${at} block=${block} />`)}
  </div>`;
}
