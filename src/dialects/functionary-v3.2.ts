/** The format of Functionary 3.2: each part of an answer follows `>>>` and the name of its recipient. */

import type { Dialect, CallVerdict } from "./dialect.ts";
import { codeCall, codeTool } from "./grammar/code-tool.ts";
import { cutOff } from "./grammar/json-calls.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { readNamedCall } from "./grammar/named-call.ts";
import { templateJson } from "./grammar/template-json.ts";
import { inSequence } from "./grammar/writing.ts";
import { turns } from "./llama-3.ts";
import { nameCharacter } from "./reading/ahead.ts";
import {
  type ReadCall,
  ahead,
  marksOf,
  takeSpace,
  takeUntil,
  takeWhile,
  type OfferedTools,
  type BlockReader,
  type StreamReading,
} from "./reading/reader.ts";

const opener = ">>>";
/** The recipient name for people. */
const everyone = "all";

export const functionaryV32: Dialect = {
  name: "functionary-v3.2",
  tier: "taught",
  openers: [{ mark: opener, begins: (text, { offered }) => begins(text, offered) }],
  turns,
  ...resultsInTags,
  markers: [opener],
  family: { template: [">>>all"], models: /functionary.*3\.2/i },
  continues: (prefix) => (prefix === "" || prefix.trimEnd().endsWith(opener) ? opener : undefined),
  lesson: {
    rules: [
      "The arguments are one JSON object on one line; without arguments write {}.",
      `What you say to people stands behind ${opener}${everyone} and a line break.`,
      "Several calls: one after the other. Do not put them in code fences.",
    ],
  },
  writeCalls: inSequence(({ name, input }) => `${opener}${name}\n${templateJson(input)}`, ""),
  *read(reader) {
    yield* takeSpace(reader);
    const name = yield* takeWhile(reader, nameCharacter);
    // Text for people is running text.
    if (name === everyone) return;
    yield* takeSpace(reader);
    const isJson = (yield* ahead(reader, 1)) === "{" || !takesCode(reader.offered, name);
    if (isJson) yield* readNamedCall(reader, { name, closers: [], openers: [opener] });
    else reader.tell(yield* readCode(reader, name));
  },
};

/** The first line names the recipient: everyone, or an offered tool (N6). */
function begins(text: string, offered: OfferedTools): CallVerdict {
  const name = /^\s*([\p{L}\p{M}\p{N}_.:/-]{1,80})[ \t]*(\r?\n)?/u.exec(text);
  if (!name) return text.trim() === "" ? "more" : "text";
  const isWhole = name[2] !== undefined;
  if (!isWhole) return /^\r?$/.test(text.slice(name[0].length)) ? "more" : "text";
  const isMeant = name[1] === everyone || offered.find(name[1] ?? "") || takesCode(offered, name[1] ?? "");
  return isMeant ? "call" : "text";
}

const takesCode = (offered: OfferedTools, name: string): boolean =>
  /^i?python$/.test(name) && codeTool(offered, name) !== undefined;

/** Code ends where the next part begins. */
function* readCode(reader: BlockReader, name: string): StreamReading<ReadCall> {
  reader.show(name);
  const pieces: string[] = [];
  for (;;) {
    const { mark } = yield* takeUntil(reader, codeEnds, (piece) => pieces.push(piece));
    if (mark === undefined && reader.isCut) return { ...cutOff(reader.raw()), name };
    if (mark !== opener || (yield* isPart(reader))) break;
    pieces.push(reader.input.take(opener.length));
  }
  return codeCall(reader.offered, pieces.join(""), name);
}

const codeEnds = marksOf([opener, ...turns]);

/** Python's `>>>` prompt in a doctest is code. */
function* isPart(reader: BlockReader): StreamReading<boolean> {
  for (let length = opener.length + 2; ; length += 1) {
    const text = yield* ahead(reader, length);
    const verdict = begins(text.slice(opener.length), reader.offered);
    if (verdict !== "more") return verdict === "call";
    if (text.length < length) return false;
  }
}
