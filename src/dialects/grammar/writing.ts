/** How calls and results are written for the history: one after the other, and a call as arguments between marks. */

import type { Json } from "../../base/json.ts";
import type { WrittenCall } from "../dialect.ts";

export const inSequence =
  <Item>(write: (item: Item, index: number) => string, between = "\n") =>
  (items: readonly Item[]): string =>
    items.map(write).join(between);

type CallParts = {
  readonly open: (name: string) => string;
  readonly argument: (name: string, value: Json) => string;
  readonly close: string;
};

export const callInParts =
  ({ open, argument, close }: CallParts) =>
  ({ name, input }: Pick<WrittenCall, "name" | "input">): string =>
    [open(name), ...Object.entries(input).map(([key, value]) => argument(key, value)), close].join("");
