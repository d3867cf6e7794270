// @ts-check
/** Lines of a change, from the runtime's patch or from the two texts of the request. Pure. */

/**
 * @typedef {{type: "hunk" | "same" | "add" | "del", old?: number, new?: number, text: string,
 *   from?: number, to?: number}} DiffLine
 *   `from` and `to` bound the changed part of a line, code units.
 */

/** Lines per side up to which two texts are compared line by line. */
const COMPARED_LINES = 400;
const WORD = /\w/;

/**
 * @param {any} patch `structuredPatch`: a list of hunks.
 * @returns {DiffLine[]}
 */
export function linesOfPatch(patch) {
  /** @type {DiffLine[]} */
  const lines = [];
  for (const hunk of Array.isArray(patch) ? patch : []) {
    if (!Array.isArray(hunk?.lines)) continue;
    let old = Number(hunk.oldStart) || 0;
    let fresh = Number(hunk.newStart) || 0;
    lines.push({
      type: "hunk",
      text: `@@ -${old},${Number(hunk.oldLines) || 0} +${fresh},${Number(hunk.newLines) || 0}`,
    });
    for (const line of hunk.lines) {
      const text = String(line);
      const body = text.slice(1);
      if (text.startsWith("+")) lines.push({ type: "add", new: fresh++, text: body });
      else if (text.startsWith("-")) lines.push({ type: "del", old: old++, text: body });
      else if (text.startsWith("\\")) lines.push({ type: "hunk", text });
      else lines.push({ type: "same", old: old++, new: fresh++, text: body });
    }
  }
  return markWords(lines);
}

/**
 * The change between two texts: common lines at both ends, the longest common run between.
 * @param {string} before
 * @param {string} after
 * @returns {DiffLine[]}
 */
export function linesOfTexts(before, after) {
  const one = before === "" ? [] : before.split("\n");
  const two = after === "" ? [] : after.split("\n");
  let head = 0;
  while (head < one.length && head < two.length && one[head] === two[head]) head += 1;
  let tail = 0;
  while (
    tail < one.length - head &&
    tail < two.length - head &&
    one[one.length - 1 - tail] === two[two.length - 1 - tail]
  ) {
    tail += 1;
  }
  const same = (text) => ({ type: /** @type {"same"} */ ("same"), text });
  return markWords([
    ...one.slice(0, head).map(same),
    ...middleLines(one.slice(head, one.length - tail), two.slice(head, two.length - tail)),
    ...one.slice(one.length - tail).map(same),
  ]);
}

/** @returns {DiffLine[]} */
function middleLines(one, two) {
  if (one.length > COMPARED_LINES || two.length > COMPARED_LINES) {
    return [
      ...one.map((text) => ({ type: /** @type {"del"} */ ("del"), text })),
      ...two.map((text) => ({ type: /** @type {"add"} */ ("add"), text })),
    ];
  }
  const width = two.length + 1;
  const common = new Uint16Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = two.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        one[i] === two[j]
          ? common[(i + 1) * width + j + 1] + 1
          : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  /** @type {DiffLine[]} */
  const lines = [];
  let i = 0;
  let j = 0;
  while (i < one.length || j < two.length) {
    if (i < one.length && j < two.length && one[i] === two[j]) {
      lines.push({ type: "same", text: one[i] });
      i += 1;
      j += 1;
    } else if (i < one.length && (j >= two.length || common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      lines.push({ type: "del", text: one[i++] });
    } else lines.push({ type: "add", text: two[j++] });
  }
  return lines;
}

/** Marks the changed part where as many lines were added as were taken away. */
function markWords(lines) {
  for (let at = 0; at < lines.length; ) {
    if (lines[at].type !== "del") {
      at += 1;
      continue;
    }
    let dels = at;
    while (lines[dels]?.type === "del") dels += 1;
    let adds = dels;
    while (lines[adds]?.type === "add") adds += 1;
    if (dels - at === adds - dels) {
      for (let pair = 0; pair < dels - at; pair += 1) markPair(lines[at + pair], lines[dels + pair]);
    }
    at = adds > at ? adds : at + 1;
  }
  return lines;
}

function markPair(one, two) {
  const shorter = Math.min(one.text.length, two.text.length);
  let head = 0;
  while (head < shorter && one.text[head] === two.text[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && one.text.at(-1 - tail) === two.text.at(-1 - tail)) tail += 1;
  if (head + tail < shorter / 4) return;
  // Whole words are easier to see than the letters in which they differ.
  while (head > 0 && WORD.test(one.text[head - 1])) head -= 1;
  while (tail > 0 && WORD.test(one.text[one.text.length - tail])) tail -= 1;
  Object.assign(one, { from: head, to: one.text.length - tail });
  Object.assign(two, { from: head, to: two.text.length - tail });
}

/** How many lines were added and taken away. */
export function countLines(lines) {
  return {
    added: lines.filter((line) => line.type === "add").length,
    removed: lines.filter((line) => line.type === "del").length,
  };
}
