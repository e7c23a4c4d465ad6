/** `<tool_calls>…</tool_calls>`: a list of JSON objects, or an object a line. Four families write it. */

import type { Opener } from "../dialect.ts";
import type { BlockReader, StreamReading } from "../reading/reader.ts";
import { beginsJson, readTaggedJson } from "./tagged-json.ts";

export const toolCallsOpener = "<tool_calls>";
export const toolCallsCloser = "</tool_calls>";

const begins = (ahead: string) => beginsJson(ahead, toolCallsOpener);

export const toolCallsTag: Opener = { mark: toolCallsOpener, begins };

/** `endings` are what ends the message; any of the families may give its calls ids. */
export function* readToolCalls(reader: BlockReader, endings: readonly string[]): StreamReading {
  yield* readTaggedJson(reader, {
    closers: [toolCallsCloser, "</tool_call>"],
    openers: [toolCallsOpener],
    endings,
    begins,
    shape: { ids: true },
  });
}
