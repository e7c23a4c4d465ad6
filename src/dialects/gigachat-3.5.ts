/** The format of GigaChat 3.5: DeepSeek's tags with a token of its own in their names. */

import type { Dialect } from "./dialect.ts";
import { bareInvoke, invokeBlock, invokeForm, invokeTag } from "./grammar/invoke.ts";
import { readXmlCalls, rewind } from "./grammar/xml-call.ts";
import { namesOf, since } from "./names.ts";
import { blank, follows, mark, peek } from "./reading/ahead.ts";

const prefix = "｜GCML｜";
const opener = `<${prefix}tool_calls>`;
const closer = `</${prefix}tool_calls>`;
const form = invokeForm({ prefix, opens: mark(opener), ends: [closer] });

export const gigachat35: Dialect = {
  name: "gigachat-3.5",
  tier: "token",
  openers: [
    { mark: opener, begins: (ahead) => follows(ahead, blank, peek(invokeTag(prefix))) },
    bareInvoke(prefix),
  ],
  ...invokeBlock(opener, closer, { prefix, isTyped: true }),
  layout: [opener, closer],
  turns: ["<|message_sep|>", "</s>"],
  markers: [`<${prefix}`, `</${prefix}`],
  family: { template: ["GCML", "role_sep", "message_sep"], models: namesOf(since("gigachat", "3.5")) },
  read: (reader, found) => readXmlCalls(reader, form, found === opener ? [] : rewind(reader, found)),
};
