// @ts-check
/** Numbers as text: counts, bytes, tokens. */

const encoder = new TextEncoder();

/** Length of a text in UTF-8 bytes. */
export const byteLength = (text) => encoder.encode(text).length;

/** `1,284` */
export const count = (value) => String(value ?? 0).replace(/\B(?=(\d{3})+$)/g, ",");

/** `1 step`, `2 steps`. */
export const plural = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;

/** `36 B`, `4.7 KB`, `311 KB`, `1.4 MB`; a KB is 1000 bytes. */
export function bytes(value) {
  if (typeof value !== "number" || !Number.isFinite(value)) return "size unknown";
  if (value < 1000) return `${value} B`;
  const [scaled, unit] = value < 1e6 ? [value / 1e3, "KB"] : value < 1e9 ? [value / 1e6, "MB"] : [value / 1e9, "GB"];
  return `${scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)} ${unit}`;
}

/** `0.6 of 311 KB`: the part in the unit of the whole. */
export function partOfBytes(part, whole) {
  const unit = whole < 1000 ? 1 : whole < 1e6 ? 1e3 : whole < 1e9 ? 1e6 : 1e9;
  if (unit === 1) return `${part} of ${whole} B`;
  const scaled = part / unit;
  return `${scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)} of ${bytes(whole)}`;
}

/** `940`, `18 k`, `4.1 M` */
export function tokenCount(value) {
  if (value < 1000) return String(value);
  if (value < 999_500) return `${value < 9950 ? (value / 1000).toFixed(1) : Math.round(value / 1000)} k`;
  return `${(value / 1e6).toFixed(1)} M`;
}

/** Sum of the four counters, or null when none was reported. */
export function tokenTotal(tokens) {
  if (!tokens) return null;
  const { in: input = 0, out = 0, cache_read: read = 0, cache_write: write = 0 } = tokens;
  return input + out + read + write;
}

/** Total as text; `at least` when some calls report only part; `unknown` without a number. */
export function tokenText(tokens, atLeast = 0) {
  const total = tokenTotal(tokens);
  if (total === null) return "unknown";
  return atLeast ? `≥ ${tokenCount(total)}` : tokenCount(total);
}

/** The four counters in words. */
export function tokenBreakdown(tokens, atLeast = 0) {
  if (!tokens) return "no call reported tokens";
  const words = [
    `${count(tokens.in ?? 0)} in`,
    `${count(tokens.out ?? 0)} out`,
    `${count(tokens.cache_read ?? 0)} read from cache`,
    `${count(tokens.cache_write ?? 0)} written to cache`,
  ].join(", ");
  return atLeast ? `at least ${words}; ${plural(atLeast, "call")} reported only part` : words;
}
