/** Errors that replace a server's unreadable answers, so that the calls do not wait for them. */

import type { JSONRPCErrorResponse } from "@modelcontextprotocol/client";
import { figureOf } from "../../base/bound.ts";
import { toolServerBounds } from "./bounds.ts";

/** "broken": looks like an answer, but is not JSON; "unknown": not a message of the protocol. */
export type Unread = "too-large" | "too-deep" | "broken" | "unknown" | "cut-off";

/** The maximum nesting of a message: later stages recurse into it. */
export const deepest = 200;

export const unreadWords = {
  "too-large": `the answer is larger than ${figureOf(toolServerBounds.message)} and was not read: ask for less`,
  "too-deep": `the answer is nested more than ${deepest} deep and was not read`,
  broken: "the answer is no JSON that can be read",
  unknown: "the answer is none that the protocol knows, and was not read",
  "cut-off":
    "the connection broke off before the end of the answer: whether the call was carried out is not known",
} as const satisfies Record<Unread, string>;

/** Thrown if the answer is a whole HTTP response. */
export class UnreadAnswer extends Error {
  constructor(why: Unread) {
    super(unreadWords[why]);
  }
}

/** Within the range that the protocol reserves for implementations. */
export const unreadCode = -32_099;

/** An error answer in the server's place. */
export const refusal = (id: number, why: Unread): JSONRPCErrorResponse => ({
  jsonrpc: "2.0",
  id,
  error: { code: unreadCode, message: unreadWords[why] },
});

/** Bytes inspected at either end of an unparsed message, where its id is. */
export const looked = 300;

type TextEnds = { head: string; tail: string };

export const endsOf = (text: string): TextEnds => ({
  head: text.slice(0, looked),
  tail: text.slice(-looked),
});

/** The request that it answers, if that can be determined. */
export function idIn({ head, tail }: TextEnds): number | undefined {
  const [, first] = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*,/u.exec(head) ?? [];
  const [, leading] = /^\s*\{\s*"id"\s*:\s*(\d{1,15})\s*,/u.exec(head) ?? [];
  const [, last] = /,\s*"id"\s*:\s*(\d{1,15})\s*\}\s*$/u.exec(tail) ?? [];
  const id = first ?? leading ?? last;
  return id === undefined ? undefined : Number(id);
}
