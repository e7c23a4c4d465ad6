/** The format of MiniMax M2: Claude's tags in a tag of its own. */

import type { MarkedDialect, WrittenCall } from "./dialect.ts";
import { invokedName, invokeForm, invokeTag, parameterClose, writeInvoke } from "./grammar/invoke.ts";
import { resultRulesFor, resultsBetween } from "./grammar/lesson.ts";
import { rawRules } from "./grammar/raw-values.ts";
import { readXmlCalls } from "./grammar/xml-call.ts";
import type { XmlForm } from "./grammar/xml-form.ts";
import { namesOf } from "./names.ts";
import { blank, either, follows, inOrder, mark, peek, some } from "./reading/ahead.ts";

const opener = "<minimax:tool_call>";
const closer = "</minimax:tool_call>";
const turns = ["[e~[", "]~b]", "]~!b["];
const results = ["<tool_response"];
/** A word of other formats, too. */
const plainResults = ["<response>"];
/** The model loses the first characters of tags, of closing ones most of all. */
const brokenClosers = (tag: string): string[] => [`</${tag}>`, `/${tag}>`, `${tag}>`];

const sound = invokeForm({
  prefix: "",
  opens: mark(opener),
  ends: [closer],
  endings: [...turns, ...results, ...plainResults],
});
const cut = inOrder(mark("invoke name="), some(/[^<>\n]/, 120), mark(">"));
const cutParameter = inOrder(mark("parameter name="), some(/[^<>\n]/, 120), mark(">"));
const form: XmlForm = {
  ...sound,
  call: {
    ...sound.call,
    step: either(sound.call.step, cut),
    read: (opening) => ({ name: invokedName(opening) }),
  },
  parameter: { ...sound.parameter, step: either(sound.parameter.step, cutParameter) },
  closers: (key) => [...new Set([...sound.closers(key), ...brokenClosers("parameter")])],
  ends: [...brokenClosers("invoke"), ...brokenClosers("minimax:tool_call")],
  spellings: brokenClosers("invoke"),
};

export const minimaxM2: MarkedDialect = {
  name: "minimax-m2",
  tier: "tagged",
  openers: [{ mark: opener, begins: (ahead) => follows(ahead, blank, peek(either(invokeTag(""), cut))) }],
  leftovers: [parameterClose("")],
  held: {
    trigger: opener,
    begin: (tool) => `${opener}\n<invoke name="${tool}">\n`,
    end: `</invoke>\n${closer}`,
    input: {
      open: (name) => `<parameter name="${name}">`,
      close: parameterClose(""),
      around: "",
      after: "\n",
    },
  },
  turns,
  results,
  plainResults,
  // A value may hold any text.
  stop: [],
  markers: [
    opener,
    closer,
    "<invoke",
    "</invoke",
    "<parameter",
    parameterClose(""),
    ...results,
    ...plainResults,
    "</response>",
    ...turns,
  ],
  family: { template: [opener], models: namesOf("minimax-?m2") },
  lesson: {
    form: `${opener}\n<invoke name="tool_name">\n<parameter name="parameter_name">value</parameter>\n</invoke>\n${closer}`,
    rules: [...rawRules("several <invoke> in one block"), ...resultRulesFor("<response>")],
  },
  writeCalls,
  writeResults: resultsBetween("<response>", "</response>"),
  *read(reader) {
    yield* readXmlCalls(reader, form);
  },
};

function writeCalls(calls: readonly WrittenCall[]): string {
  const written = calls.map((call) => writeInvoke(call, { prefix: "" }));
  return [opener, ...written, closer].join("\n");
}
