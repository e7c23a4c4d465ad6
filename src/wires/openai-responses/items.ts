/**
 * The output items of a Responses answer while they are read: which event belongs to which, and what a call came to.
 */

import { isObject } from "../../base/json.ts";
import type { Call } from "../../protocol/messages.ts";
import { arrayAt, cutArguments, namelessCall, readArguments, stringAt, isBlank } from "../fields.ts";

/**
 * One output item. `added`: it was announced as an item, not only spoken of; `heard`: a delta of it has come. `speaks`
 * tells summaries from full reasoning: one counts. `call`: what a call is known by, once it is announced; its arguments
 * are `begun` with the item, `pieces`, `final`.
 */
export type Item = {
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

/** The items that are open, by output_index; those whose index another took have numbers below 0. */
export type Items = { open: Map<number, Item>; closed: Set<number>; displaced: number };

export const noItems = (): Items => ({ open: new Map(), closed: new Set(), displaced: 0 });

export const newItem = (type: string, itemId = ""): Item => ({
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

/** Proxies may write deltas of a call that they never announced, or announce it without the id that it is known by. */
export const isUnannounced = ({ type, call }: Item): boolean =>
  type === "function_call" && call === undefined;

/** Makes room at an index: some proxies give every item the index 0. */
export function displace(items: Items, index: number): void {
  const item = items.open.get(index);
  if (!item) return;
  items.open.delete(index);
  items.open.set(freePlace(items), item);
}

/** Where the item of a finished call is kept: by its own id, then the item's, then what is unannounced at its index. */
export function placeOf({ open }: Items, said: unknown, index: number): number | undefined {
  const callId = stringAt(said, "call_id") ?? "";
  const entries = [...open];
  const known = callId === "" ? undefined : entries.find(([, { call }]) => call?.id === callId);
  if (known) return known[0];
  const place = placeOfItem(open, stringAt(said, "id"));
  if (place !== undefined) return place;
  const there = open.get(index);
  return there && isUnannounced(there) ? index : undefined;
}

/** Takes the whole arguments of a call; where one that is not announced has some already, they are another's. */
export function finishArguments(items: Items, item: Item, event: unknown): void {
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

/** A place for a call of the final output: its place in that list need not be its output_index. */
export function placeOfUnheard(items: Items, index: number): number {
  const there = items.open.get(index);
  return there && isUnannounced(there) ? index : freePlace(items);
}

/**
 * Where an event about arguments belongs: its output_index tells, unless another open item has its item_id (proxies
 * with one index for all); with neither, it goes on with the last call. Some servers change the item_id in each event.
 */
export function placeOfArguments(
  { open }: Items,
  itemId: string | undefined,
  index: number | undefined,
): number {
  const there = index === undefined ? undefined : open.get(index);
  if (index !== undefined && there?.itemId === itemId) return index;
  const own = placeOfItem(open, itemId);
  if (own !== undefined) return own;
  if (index !== undefined) return index;
  const last = [...open].findLast(([, { type }]) => type === "function_call");
  return last?.[0] ?? 0;
}

function placeOfItem(open: ReadonlyMap<number, Item>, itemId: string | undefined): number | undefined {
  if (itemId === undefined || itemId === "") return undefined;
  for (const [place, item] of open) if (item.itemId === itemId) return place;
  return undefined;
}

/**
 * A finished call: what the finished item says counts, then the whole arguments, their pieces, the item's beginning.
 */
export function readCall(item: Item, said: unknown, cut: string | undefined): Call {
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
