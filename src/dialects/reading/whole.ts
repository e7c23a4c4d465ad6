/** Reads calls without marks: withholds text until it is known whether it is the whole message (N7). */

import type { Repair } from "../../protocol/messages.ts";
import type { TextMark } from "./marks.ts";
import { beginAnew, type MessageState } from "./message.ts";
import { type ReadCall, takeOneOf, takeOnly, takeSpace, type StreamReading } from "./reader.ts";
import { endsHere } from "./running-text.ts";

/** Reads from after a mark that may open a whole message. If it is not one, the text is put back. */
export function* readWhole(message: MessageState, { text: mark, means }: TextMark): StreamReading {
  if (means.type !== "whole") return;
  const { input, offered, teller, readMarked } = message;
  const { dialect } = means;
  const isKnown = dialect.name === message.known;
  message.held = [mark];
  yield* mark.startsWith("`") ? fences(message) : brackets(message, mark);
  const text = message.held.join("");
  const closer = (yield* takeOneOf(message, [...message.table.loneClosers, "```"])) ?? "";
  const space = yield* takeSpace(message);
  const isEnd = yield* endsHere(message);
  message.held = [];
  const goesOn = isKnown && dialect.mayGoOn === true && mark.startsWith("`");
  const calls =
    isEnd || goesOn
      ? dialect.readWhole(text, offered, { isCut: message.isCut, isKnown, readMarked })
      : undefined;
  if (!calls || calls.length === 0) {
    input.putBack(text + closer + space);
    message.notWholeUntil = input.position + text.length;
    return;
  }
  input.markHere(message.text.held + text);
  const isSure = isEnd && (!message.hasText || isKnown || /^<|^\[/.test(closer));
  for (const call of calls) teller.tell(isSure ? call : asGuess(call), dialect, text);
  beginAnew(message);
}

/** At the end of an answer with other text, unmarked JSON might be an example, so the call counts as a guess. */
function asGuess(call: ReadCall): ReadCall {
  if (call.repairs?.some(({ code }) => code === "unmarked") === true) return call;
  const guess: Repair = {
    code: "unmarked",
    detail: "The call stood at the end of the answer without marks.",
    guess: true,
  };
  return { ...call, repairs: [...(call.repairs ?? []), guess] };
}

/** What may stand between values: separators, names of calls, tags. */
const betweenCalls = /[\s;,\p{L}\p{M}\p{N}_.\\]/u;
const betweenTags = /[\s;,\p{L}\p{N}_<>/:-]/u;
const betweenValues = /[\s;,]/;

/** Consumes bracketed values and what may stand between. Stops at anything else, which rules out a whole message. */
function* brackets(message: MessageState, opener: string): StreamReading {
  const { held } = message;
  const between = opener === "<" ? betweenTags : opener.endsWith("(") ? betweenCalls : betweenValues;
  let depth = opener === "<" ? 0 : 1;
  let quote = "";
  let escaped = false;
  const step = (mark: string): boolean => {
    if (quote !== "") {
      if (escaped) escaped = false;
      else if (mark === "\\") escaped = true;
      else if (mark === quote) quote = "";
    } else if (depth === 0 && opener === "<" && /["']/.test(mark)) return false;
    else if (mark === '"' || (mark === "'" && (opener !== "{" || depth === 1))) quote = mark;
    else if ("{[(".includes(mark)) depth += 1;
    else if ("}])".includes(mark)) depth = Math.max(0, depth - 1);
    else return depth > 0 || between.test(mark);
    return true;
  };
  yield* takeOnly(message, step, (piece) => held.push(piece));
}

/** Consumes fenced blocks and the white space between them. */
function* fences(message: MessageState): StreamReading {
  const { held } = message;
  let line = "```";
  let isOpen = true;
  const step = (mark: string): boolean => {
    line = mark === "\n" ? "" : line.length < 80 ? line + mark : line;
    const isFence = mark === "`" && line.trim() === "```";
    if (isOpen) isOpen = !isFence;
    else if (isFence) isOpen = true;
    else return /[\s`]/.test(mark);
    return true;
  };
  yield* takeOnly(message, step, (piece) => held.push(piece));
}
