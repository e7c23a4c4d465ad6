/** The current state of the model's to-do list. */

import { visibleLine } from "../../base/visible-text.ts";
import type { Todo } from "../../protocol/facts.ts";
import "./panels.css";

const states = {
  open: { sign: "○", words: "to do" },
  doing: { sign: "◐", words: "in progress" },
  done: { sign: "●", words: "done" },
} as const;

export function TodoList({ items }: { items: readonly Todo[] }) {
  const done = items.filter(({ state }) => state === "done").length;
  if (items.length === 0) return <p class="muted">The list is empty.</p>;
  return (
    <div class="todo-list">
      <p class="todo-count">
        To do: {done} of {items.length} done
      </p>
      <ul>
        {items.map(({ text, state }, at) => (
          <li key={at} class={`todo-item todo-${state}`}>
            <span aria-hidden="true">{states[state].sign}</span>
            <span class="visually-hidden">{states[state].words}: </span>
            <span class="todo-text">{visibleLine(text)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
