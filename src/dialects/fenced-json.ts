/**
 * A call in a code fence that is the whole message: as JSON, or in the marks of any other dialect. Also JSON in a pair of
 * tags that belongs to no dialect.
 */

import type { Dialect, OpenerContext, CallVerdict, WholeAnswer, WrittenCall } from "./dialect.ts";
import { beginsBareCall } from "./grammar/bare-begin.ts";
import { readBareCalls } from "./grammar/bare-calls.ts";
import { judgeFence } from "./grammar/fence.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import type { ReadCall, OfferedTools } from "./reading/reader.ts";

/** Tags whose content is shown: code, quotations, examples. */
const shows =
  /^(?:code|pre|script|style|samp|kbd|tt|q|quote|blockquote|cite|template|textarea|xmp|.*example.*)$/i;
const openTag = /^<([A-Za-z][\w:-]{0,39})>\s*/;
const begunTag = /^<(?:[A-Za-z][\w:-]{0,39})?$/;

/** Most closing tags that are tried: one may stand in a string. */
const mostAttempts = 8;

export const fencedJson: Dialect = {
  name: "fenced-json",
  tier: "whole",
  openers: [
    { mark: "```", begins },
    { mark: "<", begins: (ahead, { offered }) => beginsTagCall(`<${ahead}`, offered) },
  ],
  ...resultsInTags,
  lesson: {
    form: '```json\n{"name": "tool_name", "arguments": {"parameter": "value"}}\n```',
    rules: [
      "A call is your whole answer: one code fence with valid JSON, and no word before or after it.",
      "Several calls: a JSON list of such objects in the one fence.",
    ],
  },
  writeCalls,
  readWhole,
};

function begins(ahead: string, { offered, opens }: OpenerContext): CallVerdict {
  return judgeFence(ahead, (body) => {
    const bare = beginsBareCall(body, offered);
    return bare === "text" ? opens(body) : bare;
  });
}

/** Every fence holds calls, and nothing stands between them. */
function readWhole(text: string, offered: OfferedTools, answer: WholeAnswer): ReadCall[] | undefined {
  if (text.startsWith("<")) return readTagCalls(text, offered, answer);
  const calls: ReadCall[] = [];
  for (let rest = text; rest.trim() !== "";) {
    const [fence, body] = oneFence.exec(rest) ?? [];
    if (fence === undefined || body === undefined) return undefined;
    const found = readBareCalls(body, offered, answer) ?? answer.readMarked(body);
    if (!found) return undefined;
    calls.push(...found);
    rest = rest.slice(fence.length);
  }
  return calls;
}

/** A fence with its body. Its end may be missing, or stand on the last line of the body. */
const oneFence = /^\s*```[\w-]*\s*([\s\S]*?)(?:(?<=\n[ \t]*)```[ \t`]*(?:\n|$)|```\s*$|$)/;

function writeCalls(calls: readonly WrittenCall[]): string {
  const written = calls.map(({ name, input }) => ({ name, arguments: input }));
  return `\`\`\`json\n${JSON.stringify(written.length === 1 ? written[0] : written)}\n\`\`\``;
}

/** `text` begins with the tag. */
function beginsTagCall(text: string, offered: OfferedTools): CallVerdict {
  const [head, tag = ""] = openTag.exec(text) ?? [];
  if (head === undefined) return begunTag.test(text) ? "more" : "text";
  if (shows.test(tag)) return "text";
  return head.length === text.length ? "more" : beginsBareCall(text.slice(head.length), offered);
}

/** The calls of a text that consists only of such tags; the last closing tag may be missing. */
function readTagCalls(text: string, offered: OfferedTools, answer: WholeAnswer): ReadCall[] | undefined {
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
