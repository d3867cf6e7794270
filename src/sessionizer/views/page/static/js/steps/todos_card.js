// @ts-check
/** A task list, with what changed since the list before it. */

import { html } from "../dom.js";
import { Icon } from "../icons.js";
import { inputOf } from "../agent_words.js";
import { Text } from "../visible_text.js";
import { Card } from "./card.js";
import { MissingFoot, ToolState } from "./tool_meta.js";

const LOOKS = {
  completed: { icon: "tick", word: "done" },
  in_progress: { icon: "started", word: "started" },
  pending: { icon: "waiting", word: "open" },
};

/** `1 done, 1 started` since the former list; empty when there is none to compare with. */
function changesOf(todos, former) {
  if (!Array.isArray(former) || !former.length) return "";
  const before = new Map(former.map((todo) => [String(todo?.content), todo?.status]));
  const words = [];
  for (const [status, { word }] of Object.entries(LOOKS)) {
    const number = todos.filter((todo) => todo?.status === status && before.get(String(todo?.content)) !== status).length;
    if (number) words.push(`${number} ${word === "open" ? "added" : word}`);
  }
  return words.join(", ");
}

/** @param {import("./tool_cards.js").CardProps} props */
export function TodosCard({ step, talk, selected, select }) {
  const input = inputOf(step);
  const todos = Array.isArray(input?.todos) ? input.todos : [];
  const done = todos.filter((todo) => todo?.status === "completed").length;
  const meta = html`<${ToolState} step=${step} /><span>${done} of ${todos.length} done</span>`;
  return html`<${Card} step=${step} talk=${talk} name="Todo list" note=${changesOf(todos, step.structured?.oldTodos)} meta=${meta} selected=${selected} select=${select}>
    <ul class="todos">
      ${todos.map((todo, at) => {
        const status = String(todo?.status ?? "");
        const look = Object.hasOwn(LOOKS, status) ? LOOKS[status] : { icon: "waiting", word: status };
        return html`<li key=${at} class=${status}>
          <${Icon} name=${look.icon} small /><span class="only-read">${look.word}: </span><${Text} value=${todo?.content ?? ""} />
        </li>`;
      })}
    </ul>
    <${MissingFoot} step=${step} />
  <//>`;
}
