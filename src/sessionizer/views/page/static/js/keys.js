// @ts-check
/** Keyboard: one listener per page, and the dialog that lists what it knows. */

import { html, signal, useEffect, useRef } from "./dom.js";
import { Icon } from "./icons.js";

const listing = signal(false);

/** Opens the list of keys. */
export const showKeys = () => {
  listing.value = true;
};

/** Whether keys belong to a field or an open dialog rather than to the page. */
function isTaken(event) {
  const target = /** @type {HTMLElement | null} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  return Boolean(target?.closest('input, select, textarea, [contenteditable="true"], dialog[open]'));
}

/**
 * Listens for single keys until the returned function is called.
 * @param {Record<string, (event: KeyboardEvent) => void>} actions By `KeyboardEvent.key`.
 * @returns {() => void}
 */
export function listen(actions) {
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.defaultPrevented || isTaken(event)) return;
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (action) action(event);
    else if (event.key === "?") {
      event.preventDefault();
      showKeys();
    }
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

/** @param {{keys: {keys: string[], does: string}[]}} props */
export function KeysDialog({ keys }) {
  /** @type {{current: HTMLDialogElement | null}} */
  const dialog = useRef(null);
  const isOpen = listing.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const close = () => {
    listing.value = false;
  };
  return html`<dialog ref=${dialog} class="keys" aria-labelledby="keys-title" onClose=${close}>
    <header>
      <h2 id="keys-title">Keys</h2>
      <button type="button" class="icon-button" aria-label="Close the list of keys" onClick=${close}>
        <${Icon} name="cross" small />
      </button>
    </header>
    <dl>
      ${keys.map(
        ({ keys: names, does }) => html`<dt key=${does}>${names.map((name) => html`<kbd key=${name}>${name}</kbd>`)}</dt>
          <dd>${does}</dd>`,
      )}
    </dl>
  </dialog>`;
}
