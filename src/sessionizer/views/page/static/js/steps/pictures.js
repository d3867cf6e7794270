// @ts-check
/** Pictures, only of four types and only from data that is already here. */

import { html } from "../dom.js";
import { stateWords } from "../kinds.js";
import { bytes } from "../sizes.js";
import { visible } from "../visible_text.js";

const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const BASE64 = /^[A-Za-z0-9+/=\s]+$/;

/** Address of a picture, or empty when it may not be shown. */
export function pictureAddress(media, data) {
  if (!SHOWN.has(media) || typeof data !== "string" || !BASE64.test(data)) return "";
  return `data:${media};base64,${data.replace(/\s/g, "")}`;
}

/** @param {{parts: import("../shapes.js").MediaPart[] | undefined}} props */
export function Pictures({ parts }) {
  if (!parts?.length) return null;
  return html`<div class="pictures">
    ${parts.map((part, at) => {
      const address = pictureAddress(part.media, part.data);
      const says = [part.media || "type unknown", part.bytes ? `${bytes(part.bytes)} as base64` : "", stateWords(part.state)]
        .filter(Boolean)
        .join(", ");
      return html`<figure key=${at}>
        ${address
          ? html`<img src=${address} alt=${`Picture ${at + 1} of ${parts.length}, ${part.media}`} />`
          : html`<span class="no-picture">not shown here</span>`}
        <figcaption class="from-data">${visible(says)}</figcaption>
      </figure>`;
    })}
  </div>`;
}
