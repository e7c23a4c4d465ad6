/** Finds the dialect that writes a call exactly as a template does, but for white space. */

import type { Dialect } from "../dialect.ts";
import { markedCall, words } from "./conversation.ts";
import type { ShownForm } from "./shown-form.ts";

/** Of several that write the same call: the one that writes its results the same, too, else the first. */
export function knownForm({ call, told }: ShownForm, among: readonly Dialect[]): Dialect | undefined {
  const same = among.filter((dialect) => writes(dialect, call));
  return same.find((dialect) => told !== undefined && tells(dialect, told)) ?? same[0];
}

/** Without white space, in which templates and dialects differ. */
export const dense = (text: string): string => text.replaceAll(/\s+/g, "");

/** Marks of the family around the call are no part of it. */
function writes(dialect: Dialect, call: string): boolean {
  const parts = dense(call).split(dense(dialect.writeCalls([markedCall])));
  if (parts.length !== 2) return false;
  const thoughts = (dialect.thoughts ?? []).flatMap(({ open, close }) => [open, close]);
  const { layout = [], remains = [], turns = [] } = dialect;
  const marks = [...thoughts, ...layout, ...remains, ...turns].map(dense);
  return marks.reduce((rest, mark) => rest.replaceAll(mark, ""), parts.join("")) === "";
}

function tells(dialect: Dialect, told: string): boolean {
  const result = {
    id: markedCall.id,
    name: markedCall.name,
    isError: false,
    content: [{ type: "text" as const, text: words.result }],
  };
  return dense(told).includes(dense(dialect.writeResults([result])));
}
