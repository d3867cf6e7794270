// @ts-check
/** Arrow keys in a tree with one tab stop. */

/** @param {KeyboardEvent & {currentTarget: HTMLElement}} event */
export function walkTree(event) {
  const items = /** @type {HTMLElement[]} */ ([...event.currentTarget.querySelectorAll('button[role="treeitem"]')]);
  const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const target = items[Math.max(0, Math.min(items.length - 1, to))];
  if (!target) return;
  for (const item of items) item.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}
