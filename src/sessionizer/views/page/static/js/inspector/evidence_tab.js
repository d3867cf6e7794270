// @ts-check
/** The landed records behind a step: where they lie, what was left out, how to print them. */

import { html } from "../dom.js";
import { readRecord } from "../api.js";
import { conversationId, overview } from "../conversation_state.js";
import { CopyButton } from "../copy.js";
import { bytes, count, plural } from "../sizes.js";
import { visible } from "../visible_text.js";
import { Fields } from "./fields.js";
import { Loaded } from "./loaded.js";

/** @typedef {import("../shapes.js").Ref} Ref */

/** The positions of a step, each once, with the part they play. @returns {{ref: Ref, role: string}[]} */
export function positionsOf(step) {
  const refs = step.refs?.length ? step.refs : step.ref ? [step.ref] : [];
  const isCall = step.kind === "tool" || step.kind === "agent.call";
  return refs.map((ref, at) => ({
    ref,
    role: refs.length === 1 ? (isCall ? "request" : "record") : isCall ? ["request", "result", "manifest"][at] ?? `part ${at + 1}` : `part ${at + 1}`,
  }));
}

const placeOf = (ref) =>
  `seq ${count(ref.seq)}, row ${count(ref.row)}${ref.block === undefined ? "" : `, block ${ref.block}`}${ref.session ? `, session ${ref.session.slice(0, 8)}` : ""}`;

/** A word that is safe to paste into a shell as one argument. */
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function Command({ text }) {
  return html`<div class="command"><i aria-hidden="true">$</i><code class="from-data">${visible(text)}</code><${CopyButton} what="command" text=${() => text} /></div>`;
}

/** What `csift` calls the file that holds a step; empty when it has no name for it. */
function searchTarget(step, session, file) {
  if (!file.includes("streams/")) return "";
  const stream = step.stream ?? "main";
  if (stream === "main") return session;
  return /^a[\w-]*[0-9a-f]{6,}$/.test(stream) ? stream : "";
}

function RecordEvidence({ answer, position, step }) {
  const { record, file, dialect } = answer;
  const session = position.ref.session ?? overview.value?.session ?? "";
  const parts = record.parts ?? [];
  const target = searchTarget(step, session, file);
  return html`
    <${Fields}
      rows=${[
        ["landed file", html`<code class="from-data break">${visible(file)}</code>`],
        ["position", placeOf(position.ref)],
        ["source line", record.ord !== undefined && html`${count(record.ord)}, byte ${count(record.off ?? 0)}, ${count(record.bytes ?? 0)} bytes`],
        ["digest", record.sha && html`<code>sha256 ${visible(record.sha)}…</code> <span class="muted">of the source line</span>`],
        ["record id", record.id && html`<code class="from-data break">${visible(record.id)}</code>`],
        ["from", record.from && visible(record.from)],
        ["flags", record.flags?.length && visible(record.flags.join(", "))],
        ["dialect", visible(dialect)],
      ]}
    />
    <ul class="parts">
      ${parts.map(
        (part, at) => html`<li key=${at} class=${position.ref.block === at ? "this" : ""}>
          <span>part ${at}</span><span>${visible([part.k, part.name].filter(Boolean).join(" "))}</span>
          <span class=${part.state === "available" ? "muted" : "doubt"}>${visible(part.state ?? "")}</span>
          <span class="figures">${part.bytes === undefined ? "" : bytes(part.bytes)}</span>
        </li>`,
      )}
    </ul>
    ${(record.dropped ?? []).map(
      (drop, at) => html`<p key=${at} class="slim hatched"><b>Dropped</b><span class="slim-words from-data">${visible([drop.what, drop.why].filter(Boolean).join(": "))}</span><span class="meta">${bytes(drop.bytes)}</span></p>`,
    )}
    ${record.id && session && html`<${Command} text=${`asz show ${quoted(session)} ${quoted(record.id)}`} />`}
    ${record.ord !== undefined && target && html`<${Command} text=${`csift show ${quoted(`@${target}`)} --line ${record.ord} --raw`} />`}
  `;
}

/** @param {{step: import("../shapes.js").TreeNode}} props */
export function EvidenceTab({ step }) {
  const positions = positionsOf(step);
  if (!positions.length) return html`<p class="inspector-part muted">No record of its own: derived by assembly from the steps it holds.</p>`;
  return html`${positions.length > 1 && html`<p class="inspector-part muted">${plural(positions.length, "record")}</p>`}
    ${positions.map(
      (position, at) => html`<section key=${at} class="inspector-part evidence">
        <h3>${position.role}</h3>
        <${Loaded}
          key_=${`${position.ref.session ?? ""}/${position.ref.seq}/${position.ref.row}`}
          what="the record"
          load=${() => readRecord(conversationId, position.ref)}
          show=${(answer) => html`<${RecordEvidence} answer=${answer} position=${position} step=${step} />`}
        />
      </section>`,
    )}`;
}
