// @ts-check
/** A part of the page that fails alone: a shape nobody foresaw must not take the rest with it. */

import { Component, html } from "./dom.js";
import { Text } from "./visible_text.js";

/** The library comes without types. @type {any} */
const Base = Component;

/** Properties: `what` names the part, `children` is drawn. */
export class Guarded extends Base {
  constructor() {
    super();
    /** @type {{error: Error | null}} */
    this.state = { error: null };
  }

  /** @param {Error} error */
  componentDidCatch(error) {
    this.setState({ error });
  }

  render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return html`<p class="not-drawn" role="alert">
      <span class="doubt">${this.props.what} could not be drawn.</span> <${Text} value=${error.message} />
    </p>`;
  }
}
