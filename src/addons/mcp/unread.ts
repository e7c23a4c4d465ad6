/** Answers of a server that are not read: an error takes the place of each, so that its call does not wait for it. */

import type { JSONRPCErrorResponse } from "@modelcontextprotocol/client";
import { figureOf } from "../../base/bound.ts";
import { bounds } from "../../base/bounds.ts";

/** "broken": it looks like an answer, and is no JSON; "unknown": no message of the protocol. */
export type Unread = "too-large" | "too-deep" | "broken" | "unknown" | "cut-off";

/** How deep a message may be nested: what comes after recurses into it. */
export const deepest = 200;

export const unreadWords = {
  "too-large": `the answer is larger than ${figureOf(bounds.servers.message)} and was not read: ask for less`,
  "too-deep": `the answer is nested more than ${deepest} deep and was not read`,
  broken: "the answer is no JSON that can be read",
  unknown: "the answer is none that the protocol knows, and was not read",
  "cut-off":
    "the connection broke off before the end of the answer: whether the call was carried out is not known",
} as const satisfies Record<Unread, string>;

/** Thrown where the answer has a whole HTTP response to itself. */
export class UnreadAnswer extends Error {
  constructor(why: Unread) {
    super(unreadWords[why]);
  }
}

/** In the range that the protocol leaves to implementations. */
export const unreadCode = -32_099;

/** Said in the server's place. */
export const refusal = (id: number, why: Unread): JSONRPCErrorResponse => ({
  jsonrpc: "2.0",
  id,
  error: { code: unreadCode, message: unreadWords[why] },
});

/** Of a message that is not parsed, its ends are looked at: the id stands there. */
export const looked = 300;

type Ends = { head: string; tail: string };

export const endsOf = (text: string): Ends => ({ head: text.slice(0, looked), tail: text.slice(-looked) });

/** The request that it answers, as far as that can be told. */
export function idIn({ head, tail }: Ends): number | undefined {
  const [, first] = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*,/u.exec(head) ?? [];
  const [, leading] = /^\s*\{\s*"id"\s*:\s*(\d{1,15})\s*,/u.exec(head) ?? [];
  const [, last] = /,\s*"id"\s*:\s*(\d{1,15})\s*\}\s*$/u.exec(tail) ?? [];
  const id = first ?? leading ?? last;
  return id === undefined ? undefined : Number(id);
}
