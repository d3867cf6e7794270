// @ts-check
/** Every relation of a step: what is at the other end, how well that is known, and how. */

import { html } from "../dom.js";
import { showStream, streamRow, streamTitle } from "../conversation_state.js";
import { Quality, qualityWords } from "../quality.js";
import { goToReference, nameOfReference } from "../references.js";
import { firstLine, Text, visible } from "../visible_text.js";

/** Relation types read from either end. @type {Record<string, [string, string]>} */
const WORDS = {
  starts: ["starts", "started by"],
  reports: ["reports on", "reported by"],
  ends_with: ["ends with", "is the end of"],
  result_of: ["result of", "result"],
  follows: ["follows", "followed by"],
  summarizes: ["summarizes", "summarized by"],
  in_segment: ["in segment", "holds"],
  continues: ["continues", "continued by"],
  retries: ["retries", "retried by"],
  cancels: ["cancels", "cancelled by"],
  input_of: ["input of", "takes"],
};

const wordsOf = (edge) => {
  const words = Object.hasOwn(WORDS, edge.type) ? WORDS[edge.type] : [edge.type, edge.type];
  return words[edge.dir === "out" ? 0 : 1];
};

/** All links of a step: its edges, and the children it opened that no edge names. */
export function linksOf(step) {
  const edges = step.edges ?? [];
  const named = new Set(edges.filter((edge) => edge.type === "starts").map((edge) => edge.other));
  const opened = (step.opens ?? []).filter((each) => {
    const row = streamRow(each.stream);
    return !named.has(row?.id ?? "") && !named.has(each.stream) && !named.has(`stream/${each.stream}`);
  });
  return { edges, opened };
}

function joinWords(step) {
  const join = step.attrs?.result_join;
  if (step.kind !== "tool" && step.kind !== "agent.call") return null;
  if (typeof join !== "string") return null;
  const says = {
    exact_unique: "The result carries this call's id, and no other result does.",
    exact_ambiguous: "Several results carry this call's id. All are kept, none is picked.",
    unresolved: "No landed result carries this call's id.",
  }[join];
  return html`<li>
    <span class="link-end"><span class="muted">result</span></span><${Quality} quality=${join} />
    <span class="how">${says ?? join}</span>
  </li>`;
}

/** @param {{step: import("../shapes.js").TreeNode}} props */
export function LinksTab({ step }) {
  const { edges, opened } = linksOf(step);
  const started = edges.filter((edge) => edge.type === "starts" && edge.dir === "out");
  const children = started.filter((edge) => edge.quality !== "exact_ambiguous").length;
  const isSure = children === started.length;
  const join = joinWords(step);
  if (!edges.length && !opened.length && !join) return html`<p class="inspector-part muted">No relation names this step.</p>`;
  return html`<ul class="links">
      ${join}
      ${edges.map((edge, at) => {
        const row = streamRow(edge.other);
        return html`<li key=${at}>
          <span class="link-end">
            <span class="muted">${visible(wordsOf(edge))}</span>
            <button type="button" class="link from-data" onClick=${() => goToReference(edge.other)} title=${visible(edge.other)}>
              ${visible(firstLine(nameOfReference(edge.other), 80))}
            </button>
          </span>
          <${Quality} quality=${edge.quality} />
          <span class="how">
            ${edge.via ? html`<${Text} value=${`${edge.via}. `} />` : ""}${qualityWords(edge.quality)}
            ${row?.named_by === "journal" ? " Its name is from the run's journal." : ""}
          </span>
        </li>`;
      })}
      ${opened.map(
        (each) => html`<li key=${each.stream}>
          <span class="link-end"><span class="muted">starts</span> <button type="button" class="link" onClick=${() => showStream(each.stream, each.talk)}>${visible(each.label || streamTitle(streamRow(each.stream)) || each.stream)}</button></span>
          <${Quality} quality=${each.quality} />
          <span class="how">${qualityWords(each.quality)}</span>
        </li>`,
      )}
    </ul>
    ${children > 1 && html`<p class="inspector-part muted">This call started ${children} children. ${isSure ? "All of them are its children, not competing guesses." : "The ambiguous ones may belong to another call."}</p>`}`;
}
