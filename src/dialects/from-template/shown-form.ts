/** Takes out of rendered conversations what a template wrote for a call, and what it wrote around a result. */

import { commonStart } from "../../base/text.ts";
import { words } from "./conversation.ts";
import type { Renderings } from "./render.ts";

/** `twice`: two calls of one answer. `result`: what stands around a result in a user's turn. */
export type ShownForm = {
  readonly call: string;
  readonly twice: string | undefined;
  /** All that was added for a result. */
  readonly told: string | undefined;
  readonly result: { readonly open: string; readonly close: string } | undefined;
};

/** Longest text of two small calls, in characters; more is not their form. */
const longest = 4_000;

/** Undefined if the template writes no calls. */
export function shownForm({ said, called, twice, told, asked }: Renderings): ShownForm | undefined {
  if (said === undefined || called === undefined) return undefined;
  const call = within(called, said, words.said);
  if (call === undefined || call === "" || call.length > longest) return undefined;
  return {
    call,
    twice: twice === undefined ? undefined : within(twice, said, words.said),
    told: told?.slice(commonStart(told, called)).slice(0, longest),
    result: told === undefined || asked === undefined ? undefined : aroundResult(told, asked),
  };
}

/** What stands in one rendering where another has a word. An empty thought before it is the template's habit. */
function within(text: string, other: string, word: string): string | undefined {
  const at = other.indexOf(word);
  if (at < 0) return undefined;
  const start = tagStart(text, Math.min(commonStart(text, other), at));
  const same = Math.min(commonEnd(text, other), other.length - at - word.length);
  return text
    .slice(start, tagEnd(text, Math.max(start, text.length - same)))
    .replaceAll(/<think>\s*<\/think>|<\/?think>/g, "")
    .trim();
}

/** Two tags that begin or end alike are different tags: back to where a tag began, or on to where it ends. */
function tagStart(text: string, at: number): number {
  const tag = /[<[][^<>[\]\s]*$/.exec(text.slice(0, at));
  return tag ? tag.index : at;
}
function tagEnd(text: string, at: number): number {
  const isOpen = /[<[][^<>[\]\s]*$/.test(text.slice(0, at));
  return isOpen ? at + (/^[^<>[\]\s]*[>\]]/.exec(text.slice(at))?.[0].length ?? 0) : at;
}

function commonEnd(one: string, other: string): number {
  let length = 0;
  const most = Math.min(one.length, other.length);
  while (length < most && one[one.length - 1 - length] === other[other.length - 1 - length]) length += 1;
  return length;
}

/** Only if the result stands where a user's words would: in a turn of its own we cannot write it. */
function aroundResult(told: string, asked: string): ShownForm["result"] {
  const at = asked.indexOf(words.asked);
  const [head, tail] = [asked.slice(0, at), asked.slice(at + words.asked.length)];
  if (at < 0 || !told.startsWith(head) || !told.endsWith(tail)) return undefined;
  const [open, close, ...more] = told.slice(head.length, told.length - tail.length).split(words.result);
  if (open === undefined || close === undefined || more.length > 0) return undefined;
  return { open, close };
}
