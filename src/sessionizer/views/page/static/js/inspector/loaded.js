// @ts-check
/** Something that is loaded when it is first looked at. */

import { html, useEffect, useState } from "../dom.js";
import { Loading } from "../message.js";
import { Text } from "../visible_text.js";

/**
 * @param {{key_: string, what: string, load: () => Promise<any>, show: (value: any) => any}} props
 *   `key_` names what is loaded; another one loads again.
 */
export function Loaded({ key_, what, load, show }) {
  const [state, setState] = useState(/** @type {{key: string, value?: any, error?: Error} | null} */ (null));
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (value) => isCurrent && setState({ key: key_, value }),
      (error) => isCurrent && setState({ key: key_, error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key_, tries]);
  if (!state || state.key !== key_) return html`<div class="inspector-part"><${Loading} what=${what} /></div>`;
  if (state.error) {
    return html`<p class="inspector-part" role="alert">
      <span class="bad">Could not be read.</span> <${Text} value=${state.error.message} />${" "}
      <button type="button" class="link" onClick=${() => setTries(tries + 1)}>Try again</button>
    </p>`;
  }
  return show(state.value);
}
