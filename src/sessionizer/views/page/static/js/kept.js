// @ts-check
/** Small settings in the browser's local storage. A browser that forbids it only forgets. */

/** @param {string} key */
export function readKept(key) {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
export function writeKept(key, value) {
  try {
    window.localStorage.setItem(key, value);
  } catch {
    // Storage may be full or forbidden; the setting then lasts as long as the page.
  }
}
