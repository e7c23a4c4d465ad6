/** Anthropic's older layout: `<invoke>` with the tool's name and its parameters as elements. */

import type { Json } from "../../base/json.ts";
import { blank, inOrder, mark, name, nameAtStart, peek, type PatternStep } from "../reading/ahead.ts";
import {
  marksOf,
  takeMark,
  takeSpace,
  takeUntil,
  type BlockReader,
  type StreamReading,
} from "../reading/reader.ts";
import { cutOff, unreadable } from "./json-calls.ts";
import { parametersOf } from "./tool-schema.ts";
import { valueFromText } from "./values.ts";

export const nestedInvoke = "<invoke>";
const closer = "</invoke>";
const groupCloser = "</function_calls>";

/** Behind its opening tag. */
export const nestedName: PatternStep = inOrder(
  blank,
  mark("<tool_name>"),
  blank,
  name,
  blank,
  mark("</tool_name>"),
);
/** Such a call, maybe behind the tag around all calls. */
export const nestedCall: PatternStep = inOrder(blank, mark(nestedInvoke), peek(nestedName));

/** The name behind the opening tag. */
export const nestedToolName = (ahead: string): string =>
  nameAtStart(/^\s*<tool_name>([^]*)/.exec(ahead)?.[1] ?? "");

/** Reads consecutive calls, from before the first opening tag, and the end of the tag around them. */
export function* readNestedInvokes(reader: BlockReader): StreamReading {
  do yield* takeSpace(reader);
  while ((yield* takeMark(reader, nestedInvoke)) && (yield* readNested(reader)));
  yield* takeMark(reader, groupCloser);
}

function* readNested(reader: BlockReader): StreamReading<boolean> {
  const { text, mark: found } = yield* takeUntil(reader, marksOf([closer]));
  const called = nestedToolName(text);
  if (found === undefined) {
    reader.tell({ ...cutOff(reader.raw()), name: called });
    return false;
  }
  reader.input.take(found.length);
  const inner =
    /^\s*<tool_name>[^<]*<\/tool_name>\s*(?:<parameters>([^]*)<\/parameters>\s*|<parameters\s*\/>\s*)?$/.exec(
      text,
    );
  const given = inner ? elementsOf(inner[1] ?? "") : undefined;
  const { schemaOf, root } = parametersOf(reader.offered, called);
  if (given)
    reader.tell({
      name: called,
      input: Object.fromEntries(
        [...given].map(([key, value]): [string, Json] => [key, valueFromText(value, schemaOf(key), root)]),
      ),
    });
  else reader.tell({ ...unreadable(reader.raw(), unclear), name: called });
  return true;
}

const unclear =
  "It is not clear where its parameters begin and end. Nothing was run. Send it again, each parameter once and in its own element.";

/** The elements of a text; undefined if there is anything else, or a name twice: a value could hold their tags. */
function elementsOf(text: string): Map<string, string> | undefined {
  const elements = new Map<string, string>();
  let rest = text.trim();
  while (rest !== "") {
    const key = /^<([\w.-]{1,80})>/.exec(rest)?.[1];
    if (key === undefined || elements.has(key)) return undefined;
    const from = key.length + 2;
    const end = rest.indexOf(`</${key}>`, from);
    if (end === -1) return undefined;
    elements.set(key, rest.slice(from, end));
    rest = rest.slice(end + key.length + 3).trim();
  }
  return elements;
}
