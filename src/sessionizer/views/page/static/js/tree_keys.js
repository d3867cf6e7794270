// @ts-check
/** Arrow keys in a tree with one tab stop, of which only a part may be in the document. */

const ITEM = 'button[role="treeitem"]';

/** @param {KeyboardEvent & {currentTarget: HTMLElement}} event */
export function walkTree(event) {
  const tree = event.currentTarget;
  const pane = tree.parentElement;
  const items = /** @type {HTMLElement[]} */ ([...tree.querySelectorAll(ITEM)]);
  const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by) {
    event.preventDefault();
    items[Math.max(0, Math.min(items.length - 1, at + by))]?.focus();
  } else if (event.key === "Home" || event.key === "End") {
    event.preventDefault();
    if (pane) pane.scrollTop = event.key === "Home" ? 0 : pane.scrollHeight;
    // The ends are in the document only after the pane was drawn there.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const ends = /** @type {HTMLElement[]} */ ([...tree.querySelectorAll(ITEM)]);
        (event.key === "Home" ? ends[0] : ends[ends.length - 1])?.focus();
      }),
    );
  }
}
