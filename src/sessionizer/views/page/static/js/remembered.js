// @ts-check
/** State of a part that survives its row leaving the document, because rows come and go. */

import { useState } from "./dom.js";

/** Values kept; the oldest go first. */
const MOST = 400;
/** @type {Map<string, any>} */
const values = new Map();

/**
 * Like `useState`, kept under `key` for as long as the page lives.
 * @template T
 * @param {string} key
 * @param {T} initial
 * @returns {[T, (value: T) => void]}
 */
export function useRemembered(key, initial) {
  const [, render] = useState(0);
  const set = (/** @type {T} */ value) => {
    values.delete(key);
    values.set(key, value);
    if (values.size > MOST) values.delete(values.keys().next().value ?? "");
    render((times) => times + 1);
  };
  return [values.has(key) ? values.get(key) : initial, set];
}
