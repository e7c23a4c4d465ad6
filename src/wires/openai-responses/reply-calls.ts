/** Encodes calls: as functions with arguments, as tools that take a text, or as a search for tools. */

import { type JsonObject, parseObject } from "../../base/json.ts";
import type { CallForm } from "../wire.ts";

export type CallEvent = { type: string } & JsonObject;
/** Where an item stands in the output, and its id. */
export type ItemPosition = { id: string; index: number };
type CallText = { name: string; form: CallForm | undefined; text: string };

export const prefixOf = (form: CallForm | undefined): string => prefixes[form?.takes ?? "arguments"];

const prefixes = { arguments: "fc", text: "ctc", search: "tsc" } as const;

export function callItem(
  id: string,
  callId: string,
  { name, form, text, status }: CallText & { status: string },
): JsonObject {
  if (form?.takes === "search") {
    const read = parseObject(text);
    const given = read.ok ? read.value : {};
    return { id, type: "tool_search_call", status, call_id: callId, execution: "client", arguments: given };
  }
  const named = {
    name: form?.name ?? name,
    ...(form?.namespace === undefined ? {} : { namespace: form.namespace }),
  };
  return form?.takes === "text"
    ? { id, type: "custom_tool_call", status, call_id: callId, ...named, input: text }
    : { id, type: "function_call", status, call_id: callId, ...named, arguments: text };
}

const at = ({ id, index }: ItemPosition): JsonObject => ({ item_id: id, output_index: index });

export const argumentsDelta = (place: ItemPosition, delta: string): CallEvent => ({
  type: "response.function_call_arguments.delta",
  ...at(place),
  delta,
});

/** The events of a finished call before its item is done. */
export function callEnd(place: ItemPosition, { name, form, text }: CallText): CallEvent[] {
  if (form?.takes === "search") return [];
  if (form?.takes !== "text")
    return [
      {
        type: "response.function_call_arguments.done",
        ...at(place),
        name: form?.name ?? name,
        arguments: text,
      },
    ];
  return [
    { type: "response.custom_tool_call_input.delta", ...at(place), delta: text },
    { type: "response.custom_tool_call_input.done", ...at(place), input: text },
  ];
}
