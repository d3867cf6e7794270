// @ts-check
/** Times in the reader's zone, with UTC on hover. A time of 0 is unknown and says so. */

import { html } from "./dom.js";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Two talks or steps further apart than this have a "quiet" line between them. */
export const QUIET_MS = 120 * SECOND;

export const UNKNOWN_TIME = "time unknown";

/** @param {number} value */
const two = (value) => String(value).padStart(2, "0");

/** @param {number | undefined} ms */
export const isKnown = (ms) => typeof ms === "number" && Number.isFinite(ms) && ms > 0;

/** `16:31:20` in the reader's zone. */
export function clock(ms) {
  if (!isKnown(ms)) return UNKNOWN_TIME;
  const at = new Date(ms);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** `16:31` in the reader's zone. */
export function shortClock(ms) {
  return isKnown(ms) ? clock(ms).slice(0, 5) : UNKNOWN_TIME;
}

/** `30 Nov`, with the year when it is not the current one. */
export function day(ms, now = Date.now()) {
  if (!isKnown(ms)) return UNKNOWN_TIME;
  const at = new Date(ms);
  const year = at.getFullYear() === new Date(now).getFullYear() ? "" : ` ${at.getFullYear()}`;
  return `${two(at.getDate())} ${MONTHS[at.getMonth()]}${year}`;
}

/** `30 Nov 16:31`, or `16:31` on the day of `now`. */
export function dayAndClock(ms, now = Date.now()) {
  if (!isKnown(ms)) return UNKNOWN_TIME;
  const sameDay = new Date(ms).toDateString() === new Date(now).toDateString();
  return sameDay ? shortClock(ms) : `${day(ms, now)} ${shortClock(ms)}`;
}

/** `30 Nov 16:02 to 1 Dec 16:49`; one day is named once. */
export function range(from, to) {
  if (!isKnown(from) && !isKnown(to)) return UNKNOWN_TIME;
  const start = isKnown(from) ? `${day(from)}, ${shortClock(from)}` : "unknown";
  if (!isKnown(to)) return `${start} to unknown`;
  const oneDay = isKnown(from) && new Date(from).toDateString() === new Date(to).toDateString();
  return `${start} to ${oneDay ? shortClock(to) : `${day(to)}, ${shortClock(to)}`}`;
}

/** `2025-11-30 15:31:20.000 UTC` */
export function utc(ms) {
  if (!isKnown(ms)) return UNKNOWN_TIME;
  return new Date(ms).toISOString().replace("T", " ").replace("Z", " UTC");
}

/** `412 ms`, `4.1 s`, `15 m 22 s`, `3 h 11 m`, `2 d 5 h`, `12 d`; otherwise `unavailable`. */
export function duration(ms) {
  if (typeof ms !== "number" || !Number.isFinite(ms) || ms < 0) return "unavailable";
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} m ${two(Math.floor((ms % MINUTE) / SECOND))} s`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ${two(Math.floor((ms % HOUR) / MINUTE))} m`;
  if (ms < 10 * DAY) return `${Math.floor(ms / DAY)} d ${Math.floor((ms % DAY) / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** Duration of a span, or `time unknown` when an end is missing. */
export function spanText(from, to) {
  return isKnown(from) && isKnown(to) && to >= from ? duration(to - from) : UNKNOWN_TIME;
}

/** A moment as an element: local text, UTC on hover. */
export function Time({ ms, format = clock, class: className = "" }) {
  if (!isKnown(ms)) return html`<span class=${`${className} no-time`}>${UNKNOWN_TIME}</span>`;
  return html`<time class=${className} datetime=${new Date(ms).toISOString()} title=${utc(ms)}
    >${format(ms)}</time
  >`;
}
