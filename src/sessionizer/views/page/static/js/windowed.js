// @ts-check
/** A long list in a pane of its own: only what is near the visible part is in the document. */

import { html, useEffect, useMemo } from "./dom.js";
import { useScrollWindow } from "./scroll_window.js";

/**
 * @template {{key: string, height: number}} Item
 * @param {{items: Item[], draw: (item: Item, at: number) => any, follow?: string, pane?: Record<string, any>,
 *   list?: Record<string, any>, before?: any, after?: any}} props
 *   `follow` is the key that is kept in view; `pane` and `list` are attributes.
 */
export function Windowed({ items, draw, follow = "", pane = {}, list = {}, before, after }) {
  const keys = useMemo(() => items.map((item) => item.key), [items]);
  const estimates = useMemo(() => items.map((item) => item.height), [items]);
  const view = useScrollWindow({ keys, estimates });
  useEffect(() => {
    if (follow) view.scrollTo(follow, "near");
  }, [follow]);
  return html`<div ref=${view.scroller} ...${pane}>
    ${before}
    <div ref=${view.list} ...${list}>
      <div role="presentation" style=${{ height: `${view.above}px` }} />
      ${items.slice(view.first, view.last + 1).map(
        (item, at) => html`<div key=${item.key} ref=${view.measureRow} data-key=${item.key} role="presentation">${draw(item, view.first + at)}</div>`,
      )}
      <div role="presentation" style=${{ height: `${view.below}px` }} />
    </div>
    ${after}
  </div>`;
}
