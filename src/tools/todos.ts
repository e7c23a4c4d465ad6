/** The tool for the model's to-do list: it sends the whole list each time, and people see its progress. */

import * as z from "zod/mini";
import { todoStates } from "../protocol/fact-words.ts";
import type { Todo } from "../protocol/facts.ts";
import { defineTool, ok } from "./tool.ts";

const mostItems = 100;
const longestItem = 500;

export const todos = defineTool({
  name: "todos",
  aliases: ["todo_write", "update_plan", "write_todos", "update_todo_list"],
  argumentAliases: {
    items: ["todos", "list", "plan", "tasks"],
    text: ["content", "title", "step", "task"],
    state: ["status"],
  },
  summary: "Keep a to-do list for work of several steps. Send all of it each time.",
  // It changes only what people are shown of the session.
  does: "read",
  forPeople: true,
  input: () => ({ items: z.array(item()).check(z.maxLength(mostItems)) }),
  title: ({ items }) => `Things to do: ${countOf(items, "done")} of ${items.length} done`,
  run: async ({ items }) => {
    const list = items.map(({ text, state = "open" }): Todo => ({ text, state }));
    return { ...ok(wordsOf(list)), todos: list };
  },
});

const item = () =>
  z.strictObject({
    text: z.string().check(z.minLength(1), z.maxLength(longestItem)),
    state: z.optional(z.enum(todoStates)),
  });

function wordsOf(items: readonly Todo[]): string {
  if (items.length === 0) return "The list is empty now.";
  const lines = items.map(({ text, state }, at) => `${at + 1}. ${marks[state]} ${text}`);
  const advice = adviceFor(items);
  return [`The list now:`, ...lines, ...(advice === undefined ? [] : [advice])].join("\n");
}

const marks: Readonly<Record<Todo["state"], string>> = { open: "[ ]", doing: "[>]", done: "[x]" };

/** Advice, never an error: the list belongs to the model. */
function adviceFor(items: readonly Todo[]): string | undefined {
  const doing = countOf(items, "doing");
  if (doing > 1) return "Better have one thing doing at a time.";
  return doing === 0 && countOf(items, "open") > 0 ? "Mark what you do next as doing." : undefined;
}

const countOf = (items: readonly { state?: Todo["state"] | undefined }[], state: Todo["state"]): number =>
  items.filter((one) => one.state === state).length;
