/** Tracks the output items of a Responses answer: assigns events to items, and assembles finished calls. */

import { isObject } from "../../base/json.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { arrayAt, cutArguments, namelessCall, readArguments, stringAt, isBlank } from "../fields.ts";

/**
 * One output item. `added`: it was announced, not only referred to; `heard`: a delta was received. `speaks`: the kind
 * of reasoning text in use, summary or full, as only one is used. `call`: the identity of an announced call; its
 * arguments are `begun` with the item, `pieces`, `final`.
 */
export type OutputItem = {
  type: string;
  itemId: string;
  added: boolean;
  call: { id: string; name: string } | undefined;
  begun: unknown;
  pieces: string[];
  final: unknown;
  heard: boolean;
  speaks: string;
};

/** The open items by output_index; those displaced from their index have negative numbers. */
type Items = { open: Map<number, OutputItem>; closed: Set<number>; displaced: number };

export const noItems = (): Items => ({ open: new Map(), closed: new Set(), displaced: 0 });

export const newItem = (type: string, itemId = ""): OutputItem => ({
  type,
  itemId,
  added: false,
  call: undefined,
  begun: undefined,
  pieces: [],
  final: undefined,
  heard: false,
  speaks: "",
});

/** Proxies may send deltas of a call that they never announced, or announce it without its call id. */
export const isUnannounced = ({ type, call }: OutputItem): boolean =>
  type === "function_call" && call === undefined;

/** Frees an index: some proxies give every item the index 0. */
export function displace(items: Items, index: number): void {
  const item = items.open.get(index);
  if (!item) return;
  items.open.delete(index);
  items.open.set(freePlace(items), item);
}

/** The position of a finished call's item: by call id, then by item id, then an unannounced call at its index. */
export function indexOfCall({ open }: Items, said: unknown, index: number): number | undefined {
  const callId = stringAt(said, "call_id") ?? "";
  const entries = [...open];
  const known = callId === "" ? undefined : entries.find(([, { call }]) => call?.id === callId);
  if (known) return known[0];
  const place = indexOfItem(open, stringAt(said, "id"));
  if (place !== undefined) return place;
  const there = open.get(index);
  return there && isUnannounced(there) ? index : undefined;
}

/** Sets a call's complete arguments; an unannounced call that already has some gets a new item for them. */
export function finishArguments(items: Items, item: OutputItem, event: unknown): void {
  const itemId = stringAt(event, "item_id") ?? "";
  const isOther = isUnannounced(item) && item.final !== undefined && item.itemId !== itemId;
  const other = isOther ? newItem("function_call", itemId) : undefined;
  if (other) items.open.set(freePlace(items), other);
  (other ?? item).final = isObject(event) ? event["arguments"] : undefined;
}

function freePlace(items: Items): number {
  items.displaced -= 1;
  return items.displaced;
}

/** A position for a call of the final output: its position in that list need not be its output_index. */
export function placeOfUnheard(items: Items, index: number): number {
  const there = items.open.get(index);
  return there && isUnannounced(there) ? index : freePlace(items);
}

/**
 * The position for an event about arguments: its output_index, unless another open item has its item_id (proxies with
 * one index for all); without either, the last call. Some servers change the item_id in each event.
 */
export function placeOfArguments(
  { open }: Items,
  itemId: string | undefined,
  index: number | undefined,
): number {
  const there = index === undefined ? undefined : open.get(index);
  if (index !== undefined && there?.itemId === itemId) return index;
  const own = indexOfItem(open, itemId);
  if (own !== undefined) return own;
  if (index !== undefined) return index;
  const last = [...open].findLast(([, { type }]) => type === "function_call");
  return last?.[0] ?? 0;
}

function indexOfItem(open: ReadonlyMap<number, OutputItem>, itemId: string | undefined): number | undefined {
  if (itemId === undefined || itemId === "") return undefined;
  for (const [place, item] of open) if (item.itemId === itemId) return place;
  return undefined;
}

/**
 * Assembles a finished call. The arguments come from the first non-empty source: the finished item, the final
 * arguments, the pieces, the item's beginning.
 */
export function readCall(item: OutputItem, said: unknown, cut: string | undefined): ToolCall {
  const { id = "", name: announced = "" } = item.call ?? {};
  const name = stringAt(said, "name") || announced;
  const given = isObject(said) ? said["arguments"] : undefined;
  const written =
    [given, item.final, item.pieces.join(""), item.begun].find((value) => !isBlank(value)) ?? "";
  const text = typeof written === "string" ? written : JSON.stringify(written);
  const call = { id, name, source: "native" };
  if (cut !== undefined) return { ...call, ...cutArguments(text, cut) };
  return { ...call, ...(name === "" ? namelessCall(text) : readArguments(written)) };
}

export function reasoningText(item: unknown): string {
  const texts = (key: string): string[] =>
    (arrayAt(item, key) ?? []).map((part) => stringAt(part, "text") ?? "");
  const summary = texts("summary");
  return summary.length > 0 ? summary.join("\n\n") : texts("content").join("");
}
