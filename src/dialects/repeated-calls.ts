/** Whether a call that a model wrote as text stands word for word in a result or an attached file of its prompt. */

import { withoutEntities } from "../base/html-entities.ts";
import type { Json } from "../base/json.ts";
import type { ToolCall, Message, RepeatedFrom, TextPart } from "../protocol/messages.ts";
import type { Dialect } from "./dialect.ts";

/** `written`: the call as it stands in the answer. */
export type FindRepeated = (
  written: string,
  call: Pick<ToolCall, "name" | "input">,
) => RepeatedFrom | undefined;

/** Nothing is compared before the first call of an answer. */
export function repeatedIn(messages: readonly Message[], dialects: readonly Dialect[]): FindRepeated {
  let sources: readonly Source[] | undefined;
  return (written, call) => {
    sources ??= sourcesIn(messages);
    const own = bothForms(written);
    const value = bothForms(longestValue(call.input));
    let others: readonly string[] | undefined;
    return sources.find(({ forms }) => {
      if (holds(forms, own)) return true;
      if (!holds(forms, value)) return false;
      others ??= writingsOf(call, dialects);
      return others.some((one) => forms.some((text) => text.includes(one)));
    })?.from;
  };
}

/** A text from outside, as `bothForms` of it. */
type Source = { from: RepeatedFrom; forms: readonly string[] };

function sourcesIn(messages: readonly Message[]): Source[] {
  // Results of calls that could not be read are our own words, and may quote the model's.
  const unread = new Set(callsIn(messages).flatMap(({ id, problem }) => (problem === undefined ? [] : id)));
  return messages.flatMap((message): Source[] => {
    if (message.role === "assistant" || (message.role === "tool" && unread.has(message.callId))) return [];
    return message.content.flatMap((part): Source[] => {
      const from = part.type === "text" ? sourceOf(message, part) : undefined;
      return part.type === "text" && from ? [{ from, forms: bothForms(part.text) }] : [];
    });
  });
}

const callsIn = (messages: readonly Message[]): ToolCall[] =>
  messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((part) => (part.type === "call" ? part.call : []))
      : [],
  );

/** What a person typed is an order. */
function sourceOf(message: Message, { file }: TextPart): RepeatedFrom | undefined {
  if (message.role === "tool") return { callId: message.callId };
  return file === undefined ? undefined : { file };
}

/**
 * A text without what a copy of it may lose or gain: white space, quotation marks, escapes, invisible characters, marks
 * of lists and quotations; as it is, and without numbers of lines.
 */
const bothForms = (text: string): readonly string[] => {
  const plain = text.includes("&") ? withoutEntities(withoutEntities(text)) : text;
  return [bare(plain), bare(plain.replace(lineNumber, ""))];
};

const bare = (text: string): string =>
  text
    .replace(escapes, (_, code?: string) =>
      code === undefined ? "" : String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(layout, "");

const escapes = /\\+(?:u([\da-f]{4})|[nrt])/giu;
/** Brackets stay: they tell `deploy()` from the word. */
const layout = /[^\p{L}\p{N}(){}[\]<=:]+/gu;
/** "12<tab>", "  12| ", "3. ", and "notes.md:12:" or "notes.md-12-" of a search; all there are, as the text may have its own. */
const lineNumber = /^(?:[^\S\n]*(?:[^\s:]{1,200}[:-])?\d{1,7}[^\S\n]?[:\-.)|→\t])+/gmu;

/** Whether a text holds another one, in the same form. */
const holds = (forms: readonly string[], others: readonly string[]): boolean =>
  forms.some((text, at) => {
    const other = others[at] ?? "";
    return other !== "" && text.includes(other);
  });

const longestValue = (input: Json): string =>
  valuesIn(input).reduce((longest, value) => (value.length > longest.length ? value : longest), "");

function valuesIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(valuesIn);
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(valuesIn);
  return [String(value)];
}

/** The call as each dialect writes it, from its name to its last value: no marks around it, no id. */
function writingsOf(
  { name, input }: Pick<ToolCall, "name" | "input">,
  dialects: readonly Dialect[],
): string[] {
  const [tool = "", last = ""] = [name, valuesIn(input).at(-1) ?? ""].flatMap(
    (text) => bothForms(text)[0] ?? "",
  );
  const all = dialects.map((dialect) => {
    const [text = ""] = bothForms(dialect.writeCalls([{ id: "", name, input }]));
    return text.slice(Math.max(0, text.indexOf(tool)), text.lastIndexOf(last) + last.length);
  });
  return [...new Set(all)].filter((text) => text.length > tool.length + last.length);
}
