/** What is wrong with a value is said by the name of its field, also where several forms are allowed. */

import { expect, test } from "vitest";
import * as z from "zod/mini";
import { checkedValue } from "./checked-value.ts";

const part = z.discriminatedUnion("type", [z.object({ type: z.literal("text"), text: z.string() })]);
const schema = z.object({ content: z.union([z.string(), z.array(part)]) });

test.each([
  [{}, '"content" is missing.'],
  [{ content: 5 }, '"content" must be a string or a list.'],
  [{ content: [{ type: "song" }] }, '"content[0].type" must be one of "text".'],
  [{ content: [{ type: "text" }] }, '"content[0].text" is missing.'],
  [5, "The line must be an object."],
])("%j is refused by the field that is wrong", (value, problem) => {
  expect(checkedValue(schema, value, "The line")).toEqual({ ok: false, problem });
});
