/** The format of gpt-oss: messages on channels; those with a recipient are calls. */

import type { Dialect } from "./dialect.ts";
import { codeCall } from "./grammar/code-tool.ts";
import {
  author,
  broken,
  channelMark,
  endMark,
  ends,
  messageMark,
  openHeader,
  proper,
  readHeader,
  role,
  startMark,
} from "./grammar/harmony-header.ts";
import { cutOff, unreadable } from "./grammar/json-calls.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { readNamedCall } from "./grammar/named-call.ts";
import { templateJson } from "./grammar/template-json.ts";
import { inSequence } from "./grammar/writing.ts";
import { blank, comes, either, follows, inOrder, mark } from "./reading/ahead.ts";
import {
  ahead,
  marksOf,
  takeMark,
  takeSpace,
  takeUntil,
  type BlockReader,
  type StreamReading,
} from "./reading/reader.ts";

export const harmony: Dialect = {
  name: "harmony",
  tier: "token",
  openers: [
    { mark: startMark, begins: (text) => follows(text, role) },
    {
      mark: endMark,
      begins: (text) =>
        follows(text, blank, either(inOrder(mark(startMark), role), inOrder(mark(channelMark), proper))),
    },
    { mark: channelMark, begins: (text) => follows(text, proper) },
    { mark: channelMark, where: "line", begins: (text) => follows(text, broken) },
  ],
  layout: [endMark],
  turns: ["<|call|>", "<|return|>", ...["user", "system", "developer"].map((role) => startMark + role)],
  ...resultsInTags,
  results: [
    ...["functions.", "python", "browser.", "tool"].map((role) => startMark + role),
    ...resultsInTags.results,
  ],
  markers: ends,
  family: { template: [startMark, channelMark, "commentary"], models: /gpt-?oss/i },
  continues: openHeader,
  lesson: {
    rules: [
      "The arguments are one JSON object on one line; without arguments write {}.",
      "Several calls: several such messages, one after the other. Do not put them in code fences.",
    ],
  },
  writeCalls: inSequence(({ name, input }) => {
    const header = `${author} to=functions.${name}${channelMark}commentary json`;
    return `${header}${messageMark}${templateJson(input)}<|call|>`;
  }, ""),
  *read(reader, opener) {
    const header = yield* readHeader(reader, opener);
    if (header.recipient !== undefined) yield* readCall(reader, header.recipient);
    else if (header.channel === "analysis" || header.isBroken) yield* readThought(reader);
    // Text on the other channels is running text: it may show a call in a code fence.
    else if (header.channel !== undefined)
      reader.toUser({ opens: [startMark, endMark, channelMark], ends: [endMark] });
  },
};

const thoughtMarks = marksOf([...ends, startMark, channelMark]);

function* readThought(reader: BlockReader): StreamReading {
  const { input } = reader;
  let last = "";
  for (;;) {
    const { mark: found } = yield* takeUntil(reader, thoughtMarks, (piece) => {
      last = piece.slice(-1);
      reader.think(piece);
    });
    if (found === undefined || ends.includes(found)) break;
    // A thought may discuss the format itself.
    if (
      !/["'`]/.test(last) &&
      (yield* comes(reader, inOrder(mark(found), found === startMark ? role : proper)))
    )
      return;
    reader.think(input.take(found.length));
    last = "";
  }
  yield* takeMark(reader, endMark);
}

function* readCall(reader: BlockReader, to: string): StreamReading {
  const name = to.replace(/^functions\./, "");
  yield* takeSpace(reader);
  const next = yield* ahead(reader, 1);
  if (name === to && !/^(?:[{<]|$)/.test(next)) yield* readRaw(reader, name);
  else
    yield* readNamedCall(reader, {
      name,
      closers: ends,
      openers: [startMark, channelMark],
    });
}

/** Built-in tools take raw code or text, even if they were not offered. */
function* readRaw(reader: BlockReader, name: string): StreamReading {
  reader.show(name);
  const { text, mark: found } = yield* takeUntil(reader, rawEnds);
  if (found !== undefined && ends.includes(found)) reader.input.take(found.length);
  const raw = reader.raw();
  if (found === undefined && reader.isCut) reader.tell({ ...cutOff(raw), name });
  else if (/python|interpreter/i.test(name)) reader.tell(codeCall(reader.offered, text, name));
  else if (reader.offered.find(name)) reader.tell({ ...unreadable(raw, noJson), name });
  else reader.tell({ name, input: {}, rawArguments: raw });
}

const noJson = "The arguments of the call are no JSON object. Send it again with one.";
const rawEnds = marksOf([...ends, startMark]);
