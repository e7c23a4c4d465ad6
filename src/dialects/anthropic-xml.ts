/** Claude's own format as text, with and without the provider's prefix on every tag. */

import type { Json } from "../base/json.ts";
import type { MarkedDialect, Opener, OpenerContext, CallVerdict } from "./dialect.ts";
import {
  callMark,
  goesOn,
  invokeBlock,
  invokedName,
  invokeForm,
  invokeTag,
  parameterClose,
} from "./grammar/invoke.ts";
import { cutOff, unreadable } from "./grammar/json-calls.ts";
import { taggedResults } from "./grammar/lesson.ts";
import { parametersOf } from "./grammar/tool-schema.ts";
import { valueFromText } from "./grammar/values.ts";
import { readXmlCalls, rewind } from "./grammar/xml-call.ts";
import {
  blank,
  comes,
  either,
  follows,
  inOrder,
  mark,
  oneOf,
  peek,
  name,
  nameAtStart,
  ofOffered,
  type PatternStep,
} from "./reading/ahead.ts";
import {
  isNext,
  takeSpace,
  marksOf,
  takeMark,
  takeUntil,
  type BlockReader,
  type StreamReading,
} from "./reading/reader.ts";

const nestedInvoke = "<invoke>";
const closer = "</invoke>";
const groupCloser = "</function_calls>";

/** Behind its opening tag. */
const nestedName: PatternStep = inOrder(blank, mark("<tool_name>"), blank, name, blank, mark("</tool_name>"));
/** Such a call, maybe behind the tag around all calls. */
const nestedCall: PatternStep = inOrder(blank, mark(nestedInvoke), peek(nestedName));

/** The name behind the opening tag. */
const nestedToolName = (ahead: string): string => nameAtStart(/^\s*<tool_name>([^]*)/.exec(ahead)?.[1] ?? "");

const unclear =
  "It is not clear where its parameters begin and end. Nothing was run. Send it again, each parameter once and in its own element.";

/** Split, because the transport of some tools swallows it as one piece. */
const namespace = ["ant", "ml:"].join("");
const prefixes = ["", namespace];
const block = "function_calls";
/** What remains of a call's first tokens when the API's own parser failed. */
const residues = ["count", "court", "call"];

const forms = prefixes.map((prefix) => ({
  prefix,
  form: invokeForm({
    prefix,
    opens: mark(`<${prefix}${block}>`),
    ends: prefixes.map((one) => `</${one}${block}>`),
  }),
}));

const anyCall = oneOf(...prefixes.map(callMark));
const openers: readonly Opener[] = [
  ...prefixes.map((prefix): Opener => ({
    mark: `<${prefix}${block}>`,
    begins: (ahead) => follows(ahead, either(inOrder(blank, anyCall), nestedCall)),
  })),
  {
    mark: nestedInvoke,
    begins: (ahead, place) => ofOffered(follows(ahead, nestedName), nestedToolName(ahead), place),
  },
  ...prefixes.map((prefix): Opener => ({
    mark: callMark(prefix),
    begins: (ahead, place) => bare(callMark(prefix) + ahead, place),
  })),
  ...residues.map((residue): Opener => ({
    mark: residue,
    where: "line",
    begins: (ahead, place) => {
      const verdict = follows(ahead, blank, peek(anyCall));
      return verdict === "call" ? bare(ahead.trimStart(), place) : verdict;
    },
  })),
];

/** Without enclosing tags, only a call of an offered tool counts. */
function bare(text: string, place: OpenerContext): CallVerdict {
  const prefix = text.startsWith(callMark(namespace)) ? namespace : "";
  const verdict = follows(text, inOrder(invokeTag(prefix), goesOn(prefix)));
  return ofOffered(verdict, invokedName(text.slice(0, text.indexOf(">") + 1)), place);
}

const calls = invokeBlock(`<${block}>`, `</${block}>`, { prefix: "" });

export const anthropicXml: MarkedDialect = {
  name: "anthropic-xml",
  tier: "tagged",
  openers,
  ...calls,
  leftovers: prefixes.map(parameterClose),
  results: prefixes.flatMap((prefix) => [`<${prefix}function_results`, `<${prefix}function_result`]),
  markers: prefixes.flatMap((prefix) =>
    [block, "invoke", "parameter", "function_result"].flatMap((tag) => [
      `<${prefix}${tag}`,
      `</${prefix}${tag}`,
    ]),
  ),
  family: { template: ["<function_calls>", "<invoke name="], models: /claude/i },
  writeResults: (written) => `<function_results>\n${taggedResults(written)}\n</function_results>`,
  *read(reader, opener) {
    if (opener === nestedInvoke) rewind(reader, opener);
    if (opener === nestedInvoke || (yield* comes(reader, nestedCall))) {
      yield* readNestedInvokes(reader);
      return;
    }
    const isLost = !opener.endsWith(`${block}>`);
    const repairs = isLost ? rewind(reader, residues.includes(opener) ? "" : opener) : [];
    yield* takeSpace(reader);
    const isPrefixed = yield* isNext(reader, callMark(namespace));
    const form = forms.find(({ prefix }) => (prefix === namespace) === isPrefixed)?.form;
    if (form) yield* readXmlCalls(reader, form, repairs);
  },
};

/** Reads consecutive calls, from before the first opening tag, and the end of the tag around them. */
function* readNestedInvokes(reader: BlockReader): StreamReading {
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
