/** The format of MiniMax M2: Claude's tags in a tag of its own. */

import type { MarkedDialect } from "./dialect.ts";
import { invokeBlock, invokedName, invokeForm, invokeTag, parameterClose } from "./grammar/invoke.ts";
import { resultsBetween } from "./grammar/lesson.ts";
import { readXmlCalls } from "./grammar/xml-call.ts";
import type { XmlForm } from "./grammar/xml-form.ts";
import { namesOf } from "./names.ts";
import { blank, either, follows, inOrder, mark, peek, some } from "./reading/ahead.ts";

const opener = "<minimax:tool_call>";
const closer = "</minimax:tool_call>";
const calls = invokeBlock(opener, closer, { prefix: "" });
/** The model loses the first characters of tags, of closing ones most of all. */
const brokenClosers = (tag: string): string[] => [`</${tag}>`, `/${tag}>`, `${tag}>`];

const sound = invokeForm({ prefix: "", opens: mark(opener), ends: [closer] });
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
  ...calls,
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
  turns: ["[e~[", "]~b]", "]~!b["],
  // A word of other formats, too.
  plainResults: ["<response>"],
  family: { template: [opener], models: namesOf("minimax-?m2") },
  writeResults: resultsBetween("<response>", "</response>"),
  read: (reader) => readXmlCalls(reader, form),
};
