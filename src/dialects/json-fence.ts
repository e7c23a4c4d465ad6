/** A call as JSON in a code fence: ordinary Markdown, so only where it was taught; the easiest one for tiny models. */

import type { Dialect, OpenerContext, CallVerdict } from "./dialect.ts";
import { beginsBareCall, cutCall } from "./grammar/bare-begin.ts";
import { readBareCalls } from "./grammar/bare-calls.ts";
import { judgeFence, takeFenceInfo } from "./grammar/fence.ts";
import { readJsonBlock, type JsonBlockBody } from "./grammar/json-block.ts";
import { readJsonCalls } from "./grammar/json-calls.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { inSequence } from "./grammar/writing.ts";
import type { ReadCall, OfferedTools, BlockReader } from "./reading/reader.ts";

const mark = "```";

export const jsonFence: Dialect = {
  name: "json-fence",
  tier: "taught",
  openers: [{ mark, where: "line", begins }],
  ...resultsInTags,
  lesson: {
    form: '```json\n{"name": "tool_name", "arguments": {"parameter": "value"}}\n```',
    rules: [
      'Between the fences stands one valid JSON object and nothing else: inside strings write \\n for a line break and \\" for a quotation mark.',
      "Several calls: several such blocks, one after the other.",
    ],
  },
  writeCalls: inSequence(
    ({ name, input }) => `${mark}json\n${JSON.stringify({ name, arguments: input })}\n${mark}`,
  ),
  *read(reader) {
    yield* takeFenceInfo(reader);
    const found = yield* readJsonBlock(reader, {
      closers: [mark],
      hidden: true,
      // Outside strings only brackets can be missing before the fence.
      isWhole: (body, inString) =>
        sound(readBareCalls(body, reader.offered, { isCut: inString, isKnown: false })) !== undefined,
    });
    tellFence(reader, found);
  },
};

function begins(ahead: string, { offered }: OpenerContext): CallVerdict {
  return judgeFence(ahead, (body) => beginsBareCall(body, offered));
}

function tellFence(reader: BlockReader, { body, how }: JsonBlockBody): void {
  const { offered, isCut } = reader;
  const isOpen = how === "end";
  const cut = isOpen && isCut ? cutCall(body, offered) : undefined;
  const bare = cut ? [cut] : readBareCalls(body, offered, { isCut, isKnown: true });
  const calls = cut ? bare : (sound(bare) ?? mendedCalls(body, offered, isOpen) ?? bare);
  if (!calls) return reader.asText();
  for (const call of calls)
    reader.tell(call.problem === undefined ? call : { ...call, rawArguments: reader.raw() });
}

const sound = (calls: ReadCall[] | undefined): ReadCall[] | undefined =>
  calls?.every(({ problem }) => problem === undefined) === true ? calls : undefined;

/** Damage in what is clearly meant as a call: mended as far as that can be, else the model is told. */
function mendedCalls(body: string, offered: OfferedTools, isOpen: boolean): ReadCall[] | undefined {
  const { calls } = readJsonCalls(body, { closed: !isOpen, shape: { ids: true } });
  const isCall = ({ name, repairs = [] }: ReadCall): boolean =>
    offered.find(name) !== undefined &&
    !repairs.some(({ code }) => code === "flat" || code === "ignored-keys");
  return calls.length > 0 && calls.every(isCall) ? calls : undefined;
}
