/** The format of Muse Glimmer: Claude's tags with a prefix, in messages to a tool, to itself or to the user. */

import { looseName } from "../protocol/tool-name.ts";
import type { MarkedDialect } from "./dialect.ts";
import {
  bareInvoke,
  callMark,
  invokeForm,
  invokeTag,
  parameterClose,
  writeInvoke,
} from "./grammar/invoke.ts";
import { rawResultsInTags, toldText } from "./grammar/lesson.ts";
import { rawLesson } from "./grammar/raw-values.ts";
import { inSequence } from "./grammar/writing.ts";
import { readXmlCalls, rewind } from "./grammar/xml-call.ts";
import type { CallOpening, XmlForm } from "./grammar/xml-form.ts";
import {
  blank,
  either,
  follows,
  inOrder,
  mark,
  oneOf,
  peek,
  some,
  type PatternStep,
} from "./reading/ahead.ts";
import {
  marksOf,
  takeMark,
  takeUntil,
  type BlockReader,
  type OfferedTools,
  type StreamReading,
} from "./reading/reader.ts";

const prefix = "atem:";
const opener = `<${prefix}function_calls>`;
const closer = `</${prefix}function_calls>`;
const startMark = "<|start|>";
const messageMark = "<|message|>";
const endMark = "<|eom|>";
const author = `${startMark}assistant`;

const tags = invokeForm({ prefix, opens: mark(opener), ends: [closer] });
const form: XmlForm = {
  ...tags,
  endings: [endMark, startMark],
  call: {
    ...tags.call,
    read: (opening, offered) => withoutNamespace(tags.call.read(opening, offered), offered),
  },
};

/** The rest of a header: to itself, to the user, or to a tool, whose call must follow. */
const header: PatternStep = inOrder(
  mark("assistant to="),
  either(
    inOrder(oneOf("self", "user"), mark(messageMark)),
    inOrder(some(/[^\s<{]/), mark(messageMark), peek(inOrder(blank, oneOf(opener, callMark(prefix))))),
  ),
);

export const muse: MarkedDialect = {
  name: "muse",
  tier: "token",
  openers: [
    { mark: opener, begins: (ahead) => follows(ahead, blank, invokeTag(prefix)) },
    bareInvoke(prefix),
    { mark: startMark, begins: (ahead) => follows(ahead, header) },
  ],
  leftovers: [parameterClose(prefix)],
  layout: [endMark, closer],
  turns: ["<|eot|>", "<|end_of_text|>", `${startMark}user`, `${startMark}system`],
  ...rawResultsInTags,
  results: ["<tool_output name=", ...rawResultsInTags.results],
  markers: [`<${prefix}`, `</${prefix}`, startMark, messageMark, endMark],
  family: { template: [opener, startMark], models: /\bmuse-?glimmer/i },
  continues: (prompt) => (prompt === "" || prompt.endsWith(author) ? author : undefined),
  lesson: rawLesson(`several ${opener} blocks, one after the other`),
  writeCalls: inSequence((call) => [opener, writeInvoke(call, { prefix }), closer].join("\n")),
  writeResults: inSequence((one) => `<tool_output name="${one.name}">\n${toldText(one)}\n</tool_output>`),
  *read(reader, found) {
    if (found === startMark) yield* readHeader(reader);
    else yield* readXmlCalls(reader, form, found === opener ? [] : rewind(reader, found));
  },
};

/** `files.edit`: the family's tools stand in namespaces. One that offered tools have as well says more than the rest. */
function withoutNamespace(call: CallOpening, offered: OfferedTools): CallOpening {
  const [, space = "", name = ""] = /^([\w-]+)\.(.+)$/s.exec(call.name) ?? [];
  const isExact = offered.tools.some((one) => one.name === name);
  if (!isExact || offered.find(call.name) || offered.tools.some((one) => isIn(one.name, space))) return call;
  const repair = { code: "namespace", detail: `The namespace ${space} was left out of the name.` };
  return { ...call, name, repairs: [...(call.repairs ?? []), repair] };
}

const isIn = (name: string, space: string): boolean =>
  name.length > space.length &&
  looseName(name).startsWith(looseName(space)) &&
  /^[\W_]/.test(name.slice(space.length));

const thoughtEnds = marksOf([endMark, "<|eot|>", startMark]);

/** A message to itself is a thought. A message to the user runs nothing. Calls are read as running text. */
function* readHeader(reader: BlockReader): StreamReading {
  const { input } = reader;
  const { text } = yield* takeUntil(reader, marksOf([messageMark]));
  input.take(messageMark.length);
  if (text.endsWith("to=user")) reader.toUser({ opens: [startMark], ends: [endMark] });
  if (!text.endsWith("to=self")) return;
  yield* takeUntil(reader, thoughtEnds, (piece) => reader.think(piece));
  yield* takeMark(reader, endMark);
}
