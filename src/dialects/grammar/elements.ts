/**
 * Reads calls whose arguments are nested elements, with a token before every tag. Only a tag after the token counts,
 * and it must close the innermost element, so text inside cannot alter the structure.
 */

import { allOrNone } from "../../base/expected.ts";
import { itemSchema, propertySchema, typesAllowed } from "../../base/json-schema.ts";
import { isJsonObject, parseJson, type Json } from "../../base/json.ts";
import type { WrittenCall } from "../dialect.ts";
import { comes, inOrder, mark, maybe, oneOf, some, type PatternStep } from "../reading/ahead.ts";
import {
  marksOf,
  takeMark,
  takeSpace,
  takeUntil,
  type Marks,
  type BlockReader,
  type StreamReading,
} from "../reading/reader.ts";
import { tellCall, type Doubt, type CallEnding } from "./emit-xml-call.ts";
import { parametersOf, type Parameters } from "./tool-schema.ts";
import { valueFromText } from "./values.ts";

export type ElementTags = {
  /** The token before every tag. */
  readonly token: string;
  readonly call: string;
  readonly item: string;
  /** The tag behind the calls. */
  readonly closer: string;
};

type ElementNode = { readonly name: string; text: string; readonly children: ElementNode[] };

type ElementTree = {
  readonly reader: BlockReader;
  readonly tags: ElementTags;
  readonly marks: Marks;
  /** The open elements, the call itself first. */
  readonly open: ElementNode[];
  readonly doubts: Set<Doubt>;
};

/** Deepest nesting accepted. */
const maxDepth = 128;

const tagStep: PatternStep = inOrder(mark("<"), maybe(mark("/")), some(/[^<>\s/]/, 100), mark(">"));

/** Reads a call from after `<invoke name=`, and emits it. */
export function* readElements(reader: BlockReader, tags: ElementTags): StreamReading {
  const { text } = yield* takeUntil(reader, marksOf([">"]));
  reader.input.take(1);
  const name = /^\s*["']?([^"']*)/.exec(text)?.[1]?.trim() ?? "";
  const call: ElementNode = { name: tags.call, text: "", children: [] };
  const tree: ElementTree = { reader, tags, marks: marksOf([tags.token]), open: [call], doubts: new Set() };
  reader.show(name);
  const ending = yield* readTree(tree);
  const parameters = parametersOf(reader.offered, name);
  tellCall(reader, {
    name,
    parameters,
    ending,
    doubts: tree.doubts,
    given: argumentsOf(call, parameters, tree),
  });
}

function* readTree(tree: ElementTree): StreamReading<CallEnding> {
  const { reader, tags, marks, open } = tree;
  const { input } = reader;
  const endsHere = oneOf(tags.closer, ...reader.endings);
  for (;;) {
    const top = open.at(-1);
    if (!top) return "end";
    if (open.length === 1) {
      yield* takeSpace(reader);
      if (input.unread === 0 || (yield* comes(reader, endsHere))) return reader.isCut ? "cut" : "open";
      if (!(yield* comes(reader, mark(tags.token)))) return (yield* skipToEnd(tree)) ? "other" : "cut";
    }
    const { text, mark: found } = yield* takeUntil(reader, marks);
    top.text += text;
    if (found === undefined) return "cut";
    input.take(tags.token.length);
    if (!(yield* readTag(tree, top))) return (yield* skipToEnd(tree)) ? "other" : "cut";
  }
}

/** Reads a tag after its token. False if it does not match the open elements. */
function* readTag({ reader, tags, open, doubts }: ElementTree, top: ElementNode): StreamReading<boolean> {
  if (!(yield* comes(reader, tagStep))) {
    top.text += tags.token;
    doubts.add("odd-tag");
    return open.length > 1;
  }
  const isClosing = yield* takeMark(reader, "</");
  if (!isClosing) reader.input.take(1);
  const { text: name } = yield* takeUntil(reader, marksOf([">"]));
  reader.input.take(1);
  // `…</name>` without its token.
  const bare = `</${top.name}>`;
  if (open.length > 1 && top.text.endsWith(bare) && !(isClosing && name === top.name)) {
    top.text = top.text.slice(0, -bare.length);
    doubts.add("value-closer");
    open.pop();
  }
  const within = open.at(-1);
  if (isClosing) {
    open.pop();
    return within?.name === name;
  }
  const child: ElementNode = { name, text: "", children: [] };
  within?.children.push(child);
  open.push(child);
  return open.length <= maxDepth;
}

/** Skips unreadable text. True if the call's end was found. */
function* skipToEnd({ reader, tags }: ElementTree): StreamReading<boolean> {
  const end = `${tags.token}</${tags.call}>`;
  const { mark: found } = yield* takeUntil(reader, marksOf([end]));
  if (found !== undefined) reader.input.take(end.length);
  return found !== undefined;
}

function argumentsOf(
  { children }: ElementNode,
  parameters: Parameters,
  { tags, doubts }: ElementTree,
): Map<string, Json> {
  const given = new Map<string, Json>();
  const seen = new Set<string>();
  for (const child of children) {
    const declared = parameters.declared(child.name) ?? child.name;
    if (seen.has(declared)) doubts.add("unclear");
    seen.add(declared);
    const value = valueOf(child, parameters.schemaOf(child.name), { parameters, tags });
    if (value === undefined) doubts.add("unclear");
    else given.set(child.name, value);
  }
  return given;
}

type ElementContext = { parameters: Parameters; tags: ElementTags };

/** Undefined if text is mixed with elements. */
function valueOf(
  { text, children }: ElementNode,
  schema: Json | undefined,
  how: ElementContext,
): Json | undefined {
  const { root } = how.parameters;
  const types = typesAllowed(schema, root);
  if (children.length === 0) {
    if (text.trim() === "" && !types.has("string") && types.size > 0)
      return types.has("array") ? [] : types.has("object") ? {} : text;
    return types.size === 0 ? plainValue(text) : valueFromText(text, schema, root);
  }
  if (text.trim() !== "") return undefined;
  const isList =
    children.every(({ name }) => name === how.tags.item) && (types.has("array") || !types.has("object"));
  if (isList)
    return allOrNone(children.map((child, index) => valueOf(child, itemSchema(schema, root, index), how)));
  const members = new Map<string, (Json | undefined)[]>();
  for (const child of children) {
    const own = propertySchema(schema, child.name, root);
    members.set(child.name, [...(members.get(child.name) ?? []), valueOf(child, own, how)]);
  }
  const values = [...members].map(
    ([name, all]) => [name, all.length === 1 ? all[0] : allOrNone(all)] as const,
  );
  return values.some(([, value]) => value === undefined)
    ? undefined
    : Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Without a schema the value must be a scalar, because objects and lists would be elements. */
function plainValue(text: string): Json {
  const parsed = parseJson(text);
  const isPlain = parsed.ok && (typeof parsed.value !== "object" || parsed.value === null);
  return isPlain && typeof parsed.value !== "string" ? parsed.value : text;
}

export function writeElements({ name, input }: WrittenCall, tags: ElementTags): string {
  const elements = Object.entries(input).map(([key, value]) => element(key, value, tags));
  return `${tags.token}<${tags.call} name="${name}">${elements.join("")}${tags.token}</${tags.call}>`;
}

function element(name: string, value: Json, tags: ElementTags): string {
  const { token, item } = tags;
  return `${token}<${name}>${inside()}${token}</${name}>`;
  function inside(): string {
    if (typeof value === "string") return value;
    if (Array.isArray(value)) return value.map((one) => element(item, one, tags)).join("");
    if (!isJsonObject(value)) return JSON.stringify(value);
    return Object.entries(value)
      .map(([key, one]) => element(key, one, tags))
      .join("");
  }
}
