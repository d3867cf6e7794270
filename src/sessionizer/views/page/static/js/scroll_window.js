// @ts-check
/**
 * Windowing: of many rows only those near the visible part are in the document. Heights are
 * guessed first and measured once a row is there. What is being read keeps its place: the row at
 * the top edge is the anchor, and every change of heights or rows is undone for it.
 */

import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "./dom.js";

/** Pixels above and below the visible part that are rendered too. */
const OVERSCAN = 500;
/** As much as this is laid out for printing, from the beginning; about 400 sheets. */
const PAPER_PIXELS = 400_000;

/** Where rows begin: `offsets[i]` is the top of row i, the last entry the whole height. */
function offsetsOf(keys, estimates, heights) {
  const offsets = new Float64Array(keys.length + 1);
  for (let at = 0; at < keys.length; at += 1) {
    offsets[at + 1] = offsets[at] + (heights.get(keys[at]) ?? estimates[at]);
  }
  return offsets;
}

/** Index of the row that covers `top`. */
export function rowAt(offsets, top) {
  let low = 0;
  let high = offsets.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (offsets[middle] <= top) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/**
 * @param {Object} options
 * @param {string[]} options.keys One per row, unique and stable.
 * @param {number[]} options.estimates Guessed height per row, pixels.
 * @param {(key: string) => string} [options.standIn] Key to hold on to when the anchor's is gone.
 */
export function useScrollWindow({ keys, estimates, standIn = (key) => key }) {
  const scroller = useRef(/** @type {HTMLElement | null} */ (null));
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const heights = useRef(/** @type {Map<string, number>} */ (new Map()));
  const anchor = useRef({ key: "", gap: 0 });
  /** Where this code put the scroller last; a scroll event there is not the reader's. */
  const putAt = useRef(-1);
  const offsets = useRef(new Float64Array(1));
  const keysNow = useRef(keys);
  const [measured, setMeasured] = useState(0);
  const [view, setView] = useState({ top: 0, height: 900 });

  keysNow.current = keys;
  const current = useMemo(
    () => offsetsOf(keys, estimates, heights.current),
    [keys, estimates, measured],
  );
  offsets.current = current;

  /** Distance from the scroller's content top to the list. */
  const listTop = () => list.current?.offsetTop ?? 0;

  const put = (/** @type {HTMLElement} */ box, /** @type {number} */ top) => {
    box.scrollTop = top;
    putAt.current = box.scrollTop;
  };

  const readView = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    const top = box.scrollTop - listTop();
    if (Math.abs(box.scrollTop - putAt.current) >= 1) {
      const index = rowAt(offsets.current, top);
      anchor.current = { key: keysNow.current[index] ?? "", gap: top - (offsets.current[index] ?? 0) };
    }
    setView((before) =>
      Math.abs(before.top - top) < OVERSCAN / 4 && before.height === box.clientHeight
        ? before
        : { top, height: box.clientHeight },
    );
  }, []);

  const indexOfKey = useCallback((key) => keysNow.current.indexOf(key), []);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !anchor.current.key) return;
    let index = indexOfKey(anchor.current.key);
    if (index < 0) {
      index = indexOfKey(standIn(anchor.current.key));
      anchor.current.gap = 0;
    }
    if (index < 0) return;
    const wanted = listTop() + offsets.current[index] + anchor.current.gap;
    if (Math.abs(box.scrollTop - wanted) >= 1) put(box, wanted);
  }, [current]);

  const observer = useMemo(
    () =>
      new ResizeObserver((entries) => {
        let changed = false;
        for (const entry of entries) {
          const row = /** @type {HTMLElement} */ (entry.target);
          const key = row.dataset.key ?? "";
          const height = row.getBoundingClientRect().height;
          if (row.isConnected && Math.abs((heights.current.get(key) ?? -1) - height) > 0.5) {
            heights.current.set(key, height);
            changed = true;
          }
        }
        if (changed) setMeasured((times) => times + 1);
      }),
    [],
  );

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const resized = new ResizeObserver(readView);
    resized.observe(box);
    box.addEventListener("scroll", readView, { passive: true });
    // Paper has no window to scroll in.
    const showForPaper = () => setView({ top: 0, height: PAPER_PIXELS });
    window.addEventListener("beforeprint", showForPaper);
    window.addEventListener("afterprint", readView);
    readView();
    return () => {
      window.removeEventListener("beforeprint", showForPaper);
      window.removeEventListener("afterprint", readView);
      resized.disconnect();
      box.removeEventListener("scroll", readView);
      observer.disconnect();
    };
  }, []);

  const measureRow = useCallback((element) => {
    if (element) observer.observe(element);
  }, []);

  /**
   * Brings a row into view. "start" puts it at the top; "near" moves only when it is not
   * wholly visible.
   */
  const scrollTo = useCallback((key, align = "near") => {
    const box = scroller.current;
    const index = indexOfKey(key);
    if (!box || index < 0) return;
    const top = offsets.current[index];
    const bottom = offsets.current[index + 1];
    const seen = box.scrollTop - listTop();
    const fits = top >= seen && bottom <= seen + box.clientHeight - 8;
    if (align === "near" && fits) return;
    const gap = align === "start" ? -8 : -Math.round(Math.min(box.clientHeight / 4, 160));
    anchor.current = { key, gap };
    put(box, listTop() + top + gap);
    setView({ top: top + gap, height: box.clientHeight });
  }, []);

  const first = rowAt(current, view.top - OVERSCAN);
  const last = keys.length ? rowAt(current, view.top + view.height + OVERSCAN) : -1;
  return {
    scroller,
    list,
    measureRow,
    scrollTo,
    first,
    last,
    above: current[first] ?? 0,
    below: keys.length ? current[keys.length] - current[last + 1] : 0,
  };
}
