// @ts-check
/**
 * Long texts: the first lines, then a dashed foot with the true size and ways to see the rest.
 * Nothing is faded out without a number.
 */

import { html, useState } from "../dom.js";
import { copyText } from "../copy.js";
import { useRemembered } from "../remembered.js";
import { byteLength, bytes as sizeText, count, partOfBytes, plural } from "../sizes.js";
import { isCut } from "../whole_text.js";
import { Terminal } from "./terminal.js";

/** From this size on "Show all" opens the Result tab, which is paged. */
const TOO_BIG_BYTES = 1_000_000;
/** Lines that "Show all" adds at once. */
const LINES_A_PAGE = 400;
/** A line longer than this does not count as one line but as many. */
const LINE_LIMIT = 2000;

/** Fetched whole texts by key, a few. @type {Map<string, string>} */
const fetched = new Map();
const FETCHED_KEPT = 12;

function keepFetched(key, text) {
  fetched.delete(key);
  fetched.set(key, text);
  if (fetched.size > FETCHED_KEPT) fetched.delete(fetched.keys().next().value ?? "");
}

/** Length of the first `limit` lines of `text`; a very long line is cut. */
export function headLength(text, limit) {
  let at = 0;
  for (let line = 0; line < limit; line += 1) {
    const next = text.indexOf("\n", at);
    const end = next < 0 ? text.length : next;
    if (end - at > LINE_LIMIT) return at + LINE_LIMIT;
    if (next < 0) return text.length;
    at = next + 1;
  }
  return Math.max(0, at - 1);
}

/** The last `limit` lines of `text`. */
export function tailOf(text, limit) {
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  let at = body.length;
  for (let line = 0; line < limit && at >= 0; line += 1) at = body.lastIndexOf("\n", at - 1);
  return body.slice(Math.max(at + 1, body.length - LINE_LIMIT * 4));
}

const lineCount = (text) => (text ? text.split("\n").length - (text.endsWith("\n") ? 1 : 0) : 0);

/**
 * @param {{id: string, what: string, text: string, bytes?: number, lines?: number,
 *   load: () => Promise<string>, openBig: () => void, view?: any, plain?: boolean}} props
 *   `bytes` is the true size; `view` draws the shown text, a terminal by default.
 */
export function Clipped({ id, what, text, bytes, lines = 12, load, openBig, view: View = Terminal }) {
  const [mode, setMode] = useRemembered(`clip:${id}`, "first");
  const [pages, setPages] = useRemembered(`pages:${id}`, 1);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const isWhole = bytes === undefined || !isCut(text, bytes);
  const size = isWhole ? byteLength(text) : bytes;
  const whole = isWhole ? text : fetched.get(id);

  const fetchWhole = async () => {
    if (whole !== undefined) return whole;
    setBusy(true);
    try {
      const loaded = await load();
      keepFetched(id, loaded);
      setProblem("");
      return loaded;
    } finally {
      setBusy(false);
    }
  };
  const change = async (next) => {
    if (next === "all" && size > TOO_BIG_BYTES) {
      openBig();
      return;
    }
    try {
      await fetchWhole();
      setMode(next);
    } catch (error) {
      setProblem(/** @type {Error} */ (error).message);
    }
  };
  const copy = async () => {
    try {
      await copyText(await fetchWhole(), what);
    } catch (error) {
      setProblem(/** @type {Error} */ (error).message);
    }
  };

  const body = mode === "first" ? text : (whole ?? text);
  const shown =
    mode === "last" ? tailOf(body, lines) : body.slice(0, headLength(body, mode === "all" ? LINES_A_PAGE * pages : lines));
  const rest = body.length - shown.length > (body.endsWith("\n") ? 1 : 0);
  const hasFoot = rest || !isWhole || mode !== "first" || problem;
  return html`<div class="clipped">
    <${View} text=${shown} />
    ${hasFoot &&
    html`<div class="clip-foot">
      <span class="figures">${footWords({ mode, shown, body, whole, size, rest })}</span>
      ${problem && html`<span class="bad" role="alert">could not be read: ${problem}</span>`}
      <span class="grow" />
      ${busy && html`<span role="status">loading</span>`}
      ${mode === "all" && rest &&
      html`<button type="button" class="link" onClick=${() => setPages(pages + 1)}>Show ${LINES_A_PAGE} more lines</button>`}
      ${mode !== "all" && html`<button type="button" class="link" onClick=${() => change("all")}>Show all</button>`}
      ${mode !== "first" && html`<button type="button" class="link" onClick=${() => setMode("first")}>Show less</button>`}
      ${mode !== "last" && html`<button type="button" class="link can-go" onClick=${() => change("last")}>Last lines</button>`}
      <button type="button" class="link can-go" onClick=${copy}>Copy</button>
    </div>`}
  </div>`;
}

/** What is shown of how much; the number of lines only where the whole is at hand. */
function footWords({ mode, shown, body, whole, size, rest }) {
  if (mode === "all" && !rest) return `${plural(lineCount(body), "line")}, ${sizeText(size)}, all shown`;
  const place = mode === "last" ? "last" : "first";
  const part = partOfBytes(byteLength(shown), size);
  const number = lineCount(shown);
  if (whole === undefined) return `${place} ${plural(number, "line")}, ${part}`;
  return `${mode === "last" ? "last " : ""}${count(number)} of ${plural(lineCount(whole), "line")}, ${part}`;
}
