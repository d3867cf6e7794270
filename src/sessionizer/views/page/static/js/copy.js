// @ts-check
/** Copying text, said in the live region. */

import { html, useState } from "./dom.js";
import { Icon } from "./icons.js";
import { announce } from "./live_region.js";

/**
 * @param {string} text
 * @param {string} what
 * @returns {Promise<boolean>}
 */
export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} copied`);
    return true;
  } catch {
    announce(`${what} could not be copied`);
    return false;
  }
}

/**
 * @param {{what: string, text: () => string | Promise<string>, icon?: string}} props
 */
export function CopyButton({ what, text, icon = "copy" }) {
  const [done, setDone] = useState(false);
  const copy = async (event) => {
    event.stopPropagation();
    const copied = await copyText(await text(), what);
    setDone(copied);
    if (copied) setTimeout(() => setDone(false), 1500);
  };
  return html`<button type="button" class="icon-button" aria-label=${`Copy ${what}`} title=${`Copy ${what}`} onClick=${copy}>
    <${Icon} name=${done ? "tick" : icon} small />
  </button>`;
}
