/** Claude's own format as text, with and without the provider's prefix on every tag. */

import type { MarkedDialect, Opener, OpenerContext, CallVerdict, WrittenCall } from "./dialect.ts";
import {
  callMark,
  goesOn,
  invokedName,
  invokeForm,
  invokeTag,
  parameterClose,
  writeInvoke,
} from "./grammar/invoke.ts";
import { taggedResults } from "./grammar/lesson.ts";
import {
  nestedCall,
  nestedInvoke,
  nestedName,
  nestedToolName,
  readNestedInvokes,
} from "./grammar/nested-invoke.ts";
import { rawRules } from "./grammar/raw-values.ts";
import { readXmlCalls, rewind } from "./grammar/xml-call.ts";
import { blank, comes, either, follows, inOrder, mark, oneOf, peek } from "./reading/ahead.ts";
import { isNext, takeSpace } from "./reading/reader.ts";

/** Split, because the transport of some tools swallows it as one piece. */
const namespace = ["ant", "ml:"].join("");
const prefixes = ["", namespace];
const block = "function_calls";
/** What remains of a call's first tokens when the API's own parser failed. */
const residues = ["count", "court", "call"];
const results = prefixes.flatMap((prefix) => [`<${prefix}function_results`, `<${prefix}function_result`]);

const forms = prefixes.map((prefix) => ({
  prefix,
  form: invokeForm({
    prefix,
    opens: mark(`<${prefix}${block}>`),
    ends: prefixes.map((one) => `</${one}${block}>`),
    endings: results,
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
    begins: (ahead, { offered, isKnown }) => {
      const verdict = follows(ahead, nestedName);
      return verdict === "call" && !isKnown && !offered.find(nestedToolName(ahead)) ? "text" : verdict;
    },
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
function bare(text: string, { offered, isKnown }: OpenerContext): CallVerdict {
  const prefix = text.startsWith(callMark(namespace)) ? namespace : "";
  const verdict = follows(text, inOrder(invokeTag(prefix), goesOn(prefix)));
  const name = invokedName(text.slice(0, text.indexOf(">") + 1));
  return verdict === "call" && !isKnown && !offered.find(name) ? "text" : verdict;
}

export const anthropicXml: MarkedDialect = {
  name: "anthropic-xml",
  tier: "tagged",
  openers,
  leftovers: prefixes.map(parameterClose),
  results,
  // A value may hold any text.
  stop: [],
  markers: prefixes.flatMap((prefix) => [
    ...[block, "invoke", "parameter"].flatMap((tag) => [`<${prefix}${tag}`, `</${prefix}${tag}`]),
    `<${prefix}function_result`,
    `</${prefix}function_result`,
  ]),
  family: { template: ["<function_calls>", "<invoke name="], models: /claude/i },
  lesson: {
    form: `<${block}>\n<invoke name="tool_name">\n<parameter name="parameter_name">value</parameter>\n</invoke>\n</${block}>`,
    rules: [
      ...rawRules("several <invoke> in one block"),
      "After your calls, stop. The results come in the next message as <function_results>; never write them yourself.",
    ],
  },
  writeCalls,
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

function writeCalls(calls: readonly WrittenCall[]): string {
  const written = calls.map((call) => writeInvoke(call, { prefix: "" }));
  return [`<${block}>`, ...written, `</${block}>`].join("\n");
}
