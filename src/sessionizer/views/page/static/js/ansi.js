// @ts-check
/**
 * Terminal output: colour and weight (SGR) are read, in the eight colours of the theme. No other
 * sequence is carried out; it stays in the text and shows as symbols.
 */

/**
 * @typedef {Object} Style
 * @property {string} ink Colour name or empty.
 * @property {string} ground Colour name or empty.
 * @property {boolean} bold
 * @property {boolean} dim
 * @property {boolean} underline
 * @property {boolean} inverse
 *
 * @typedef {{text: string, style: Style}} Piece
 */

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const SGR = /\u001b\[([\d;:]*)m/g;

/** @type {Style} */
const PLAIN = { ink: "", ground: "", bold: false, dim: false, underline: false, inverse: false };

/** Name of one of the 256 palette colours: the first sixteen, else none. */
const paletteColour = (number) => (number < 16 ? COLOURS[number % 8] : "");

/**
 * @param {Style} style
 * @param {string} codes
 * @returns {Style}
 */
function applyCodes(style, codes) {
  const numbers = codes.split(/[;:]/).map((code) => (code === "" ? 0 : Number(code)));
  let next = { ...style };
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at];
    if (code === 0) next = { ...PLAIN };
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 4) next.underline = true;
    else if (code === 7) next.inverse = true;
    else if (code === 22) next.bold = next.dim = false;
    else if (code === 24) next.underline = false;
    else if (code === 27) next.inverse = false;
    else if (code >= 30 && code <= 37) next.ink = COLOURS[code - 30];
    else if (code === 39) next.ink = "";
    else if (code >= 40 && code <= 47) next.ground = COLOURS[code - 40];
    else if (code === 49) next.ground = "";
    else if (code >= 90 && code <= 97) next.ink = COLOURS[code - 90];
    else if (code >= 100 && code <= 107) next.ground = COLOURS[code - 100];
    else if (code === 38 || code === 48) {
      const isPalette = numbers[at + 1] === 5;
      const colour = isPalette ? paletteColour(numbers[at + 2]) : "";
      if (code === 38) next.ink = colour;
      else next.ground = colour;
      at += isPalette ? 2 : 4;
    }
  }
  return next;
}

/**
 * `text` cut where its style changes; the SGR sequences themselves are gone.
 * @param {string} text
 * @returns {Piece[]}
 */
export function parseAnsi(text) {
  if (!text.includes("\u001b[")) return [{ text, style: PLAIN }];
  /** @type {Piece[]} */
  const pieces = [];
  let style = PLAIN;
  let end = 0;
  for (const match of text.matchAll(SGR)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), style });
    style = applyCodes(style, match[1]);
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), style });
  return pieces;
}

/** @param {Style} style */
export function classOfStyle(style) {
  const names = [];
  if (style.ink) names.push(`ink-${style.ink}`);
  if (style.ground) names.push(`ground-${style.ground}`);
  if (style.bold) names.push("is-bold");
  if (style.dim) names.push("is-dim");
  if (style.underline) names.push("is-underlined");
  if (style.inverse) names.push("is-inverse");
  return names.join(" ");
}
