// @ts-check
/** What somebody said: a name, the words, and the rest of them on demand. */

import { html, useState } from "../dom.js";
import { Prose } from "../prose.js";
import { useRemembered } from "../remembered.js";
import { byteLength, partOfBytes } from "../sizes.js";
import { visibleParts } from "../visible_text.js";
import { isCut, wholeText } from "../whole_text.js";

/** Texts up to this many code units are shown whole. */
const SHORT = 1200;
/** More than this is not laid out at once. */
const PAGE = 40_000;

/**
 * @param {{id: string, who: string, note?: string, text: string, bytes?: number, plain?: boolean,
 *   shape?: (text: string) => string,
 *   step?: import("../shapes.js").TreeNode, find?: () => Promise<import("../shapes.js").TreeNode | undefined>}} props
 *   `plain`: as typed, without layout. `shape`: what of the text is shown. `find` gives the step when it is not loaded yet.
 */
export function SaidText({ id, who, note = "", text, bytes, plain = false, shape, step, find }) {
  const [whole, setWhole] = useRemembered(`whole:${id}`, /** @type {string | undefined} */ (undefined));
  const [isOpen, setOpen] = useRemembered(`said:${id}`, false);
  const [limit, setLimit] = useRemembered(`limit:${id}`, PAGE);
  const [problem, setProblem] = useState("");
  const size = step?.bytes ?? bytes;
  const mayGoOn = isCut(text, size);
  const known = shape ? shape(whole ?? text) : (whole ?? text);
  const shown = isOpen ? known.slice(0, limit) : known.slice(0, SHORT);
  const isShort = shown.length < known.length || (whole === undefined && mayGoOn);
  const open = async () => {
    try {
      if (whole === undefined && mayGoOn) {
        const source = step ?? (await find?.());
        if (source) setWhole(await wholeText(source));
      }
      if (isOpen) setLimit(limit + PAGE);
      setOpen(true);
      setProblem("");
    } catch (error) {
      setProblem(/** @type {Error} */ (error).message);
    }
  };
  const total = whole !== undefined || !mayGoOn ? byteLength(known) : shape ? undefined : size;
  return html`<p class="who">${who}${note && html`<small>${note}</small>`}</p>
    ${known.trim() === "" && html`<p class="muted">blank text</p>`}
    ${plain
      ? html`<div class="said typed from-data" dir="auto">${visibleParts(shown)}</div>`
      : html`<div class="said"><${Prose} text=${shown} /></div>`}
    ${(isShort || problem) &&
    html`<p class="said-foot">
      <span class="figures">${total === undefined ? "the beginning" : `first ${partOfBytes(byteLength(shown), total)}`}</span>
      ${problem && html`<span class="bad" role="alert">could not be read: ${problem}</span>`}
      <button type="button" class="link" onClick=${open}>${isOpen && shown.length < known.length ? "Show more" : "Show all"}</button>
    </p>`}
    ${isOpen && !isShort && known.length > SHORT && html`<p class="said-foot"><button type="button" class="link" onClick=${() => setOpen(false)}>Show less</button></p>`}`;
}
