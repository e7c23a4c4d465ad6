/** A call as JSON in a pair of tags that belongs to no dialect, such as `<response>`. */

import type { CallVerdict, WholeAnswer } from "../dialect.ts";
import type { ReadCall } from "../reading/read-call.ts";
import type { OfferedTools } from "../reading/reader.ts";
import { beginsBareCall } from "./bare-begin.ts";
import { readBareCalls } from "./bare-calls.ts";

/** Tags whose content is shown: code, quotations, examples. */
const shows =
  /^(?:code|pre|script|style|samp|kbd|tt|q|quote|blockquote|cite|template|textarea|xmp|.*example.*)$/i;
const openTag = /^<([A-Za-z][\w:-]{0,39})>\s*/;
const begunTag = /^<(?:[A-Za-z][\w:-]{0,39})?$/;

/** `text` begins with the tag. */
export function beginsTagCall(text: string, offered: OfferedTools): CallVerdict {
  const [head, tag = ""] = openTag.exec(text) ?? [];
  if (head === undefined) return begunTag.test(text) ? "more" : "text";
  if (shows.test(tag)) return "text";
  return head.length === text.length ? "more" : beginsBareCall(text.slice(head.length), offered);
}

/** Most closing tags that are tried: one may stand in a string. */
const mostAttempts = 8;

/** The calls of a text that consists only of such tags; the last closing tag may be missing. */
export function readTagCalls(
  text: string,
  offered: OfferedTools,
  answer: WholeAnswer,
): ReadCall[] | undefined {
  const calls: ReadCall[] = [];
  for (let rest = text.trim(); rest !== "";) {
    const [head, tag] = openTag.exec(rest) ?? [];
    if (head === undefined || tag === undefined) return undefined;
    const block = readBlock(rest.slice(head.length), `</${tag}>`, (body) =>
      readBareCalls(body, offered, answer),
    );
    if (!block) return undefined;
    calls.push(...block.calls);
    rest = block.rest.trimStart();
  }
  return calls.length > 0 ? calls : undefined;
}

function readBlock(
  text: string,
  closer: string,
  read: (body: string) => ReadCall[] | undefined,
): { calls: ReadCall[]; rest: string } | undefined {
  let end = text.indexOf(closer);
  for (let attempts = 0; end >= 0 && attempts < mostAttempts; attempts += 1) {
    const calls = read(text.slice(0, end));
    if (calls?.every(({ problem }) => problem === undefined) === true)
      return { calls, rest: text.slice(end + closer.length) };
    end = text.indexOf(closer, end + 1);
  }
  const calls = read(text);
  return calls && { calls, rest: "" };
}
