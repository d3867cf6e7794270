// @ts-check
/** The landed record as it lies there, with a word of explanation on each key. */

import { html, useState } from "../dom.js";
import { readGlossary, readRecord } from "../api.js";
import { conversationId } from "../conversation_state.js";
import { CopyButton } from "../copy.js";
import { count } from "../sizes.js";
import { Choice } from "../tabs.js";
import { visible } from "../visible_text.js";
import { positionsOf } from "./evidence_tab.js";
import { Loaded } from "./loaded.js";

/** Longer strings are clipped. */
const STRING_LIMIT = 300;
/** Members of one object or list shown at first. */
const MEMBERS_LIMIT = 60;

/** @type {Promise<any> | null} */
let glossary = null;

/** The record and the glossary; without a glossary the keys just stay unexplained. */
async function loadAll(ref) {
  glossary ??= readGlossary();
  const [record, words] = await Promise.all([readRecord(conversationId, ref), glossary.catch(() => null)]);
  return { record, words };
}

function StringValue({ value }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = value.length > STRING_LIMIT;
  const shown = isOpen || !isLong ? value : value.slice(0, STRING_LIMIT);
  return html`<span class="json-string from-data" dir="auto">${visible(JSON.stringify(shown))}</span>${isLong &&
    html` <button type="button" class="link" onClick=${() => setOpen(!isOpen)}>${isOpen ? "show less" : `first ${STRING_LIMIT} of ${count(value.length)} characters, show all`}</button>`}`;
}

function KeyName({ name, words }) {
  const [isOpen, setOpen] = useState(false);
  const field = words?.fields && Object.hasOwn(words.fields, name) ? words.fields[name] : "";
  const term = words?.terms && Object.hasOwn(words.terms, name) ? words.terms[name] : undefined;
  const key = html`<span class="json-key from-data">${visible(JSON.stringify(name))}</span>`;
  if (!field && !term) return html`${key}: `;
  return html`${key}<button type="button" class="why" aria-expanded=${String(isOpen)} aria-label=${`What is ${name}?`} onClick=${() => setOpen(!isOpen)}>?</button>:${" "}
    ${isOpen &&
    html`<span class="explains">
      ${field && html`<span>${visible(field)}</span>`}
      ${term && html`<span>The agent's word: ${term.native ? visible(term.native) : "none, derived here"}. ${visible(term.where ?? "")} ${visible(term.note ?? "")}</span>`}
      <span class="faint">${visible(words.dialect ?? "")}</span>
    </span>`}`;
}

function Members({ entries, words, level, isList }) {
  const [limit, setLimit] = useState(MEMBERS_LIMIT);
  return html`<ul>
    ${entries.slice(0, limit).map(
      ([name, value]) => html`<li key=${name}>${!isList && html`<${KeyName} name=${name} words=${words} />`}<${Json} value=${value} words=${words} level=${level + 1} /></li>`,
    )}
    ${entries.length > limit && html`<li><button type="button" class="link" onClick=${() => setLimit(limit + 200)}>${count(entries.length - limit)} more</button></li>`}
  </ul>`;
}

/** A JSON value as a tree of text. */
function Json({ value, words, level = 0 }) {
  const [isOpen, setOpen] = useState(level < 6);
  if (typeof value === "string") return html`<${StringValue} value=${value} />`;
  if (value === null || typeof value !== "object") return html`<span class="json-plain">${String(value)}</span>`;
  const isList = Array.isArray(value);
  const entries = isList ? value.map((each, at) => [String(at), each]) : Object.entries(value);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (!entries.length) return html`${open}${close}`;
  if (!isOpen) return html`<button type="button" class="link" onClick=${() => setOpen(true)}>${open} ${count(entries.length)} ${close}</button>`;
  return html`${open}<${Members} entries=${entries} words=${words} level=${level} isList=${isList} />${close}`;
}

/** @param {{step: import("../shapes.js").TreeNode}} props */
export function RawTab({ step }) {
  const positions = positionsOf(step);
  const [chosen, setChosen] = useState("0");
  if (!positions.length) return html`<p class="inspector-part muted">No record of its own: derived by assembly.</p>`;
  const position = positions[Number(chosen)] ?? positions[0];
  return html`
    ${positions.length > 1 &&
    html`<div class="inspector-part"><${Choice}
      label="Record"
      chosen=${chosen}
      choose=${setChosen}
      options=${positions.slice(0, 8).map((each, at) => ({ key: String(at), word: each.role }))}
    /></div>`}
    <${Loaded}
      key_=${`${position.ref.session ?? ""}/${position.ref.seq}/${position.ref.row}`}
      what="the record"
      load=${() => loadAll(position.ref)}
      show=${({ record, words }) => html`<div class="inspector-part raw">
        <p class="raw-head"><span class="muted">seq ${record.seq}, row ${record.row}</span><span class="grow" /><${CopyButton} what="record" text=${() => JSON.stringify(record.record, null, 2)} /></p>
        <div class="json"><${Json} key=${`${record.seq}/${record.row}`} value=${record.record} words=${words} /></div>
      </div>`}
    />
  `;
}
