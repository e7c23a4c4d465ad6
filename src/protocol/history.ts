/**
 * Turns any list of messages into one that every provider accepts, without losing a person's words. Rules of a single
 * format (the shape of call ids, where pictures may appear) are left to its wire.
 */

import type { Json, JsonObject } from "../base/json.ts";
import { isJsonObject } from "../base/json.ts";
import type { AssistantPart, ToolCall, Message, ContentPart } from "./messages.ts";

type Of<Role extends Message["role"]> = Message & { role: Role };

/**
 * `model`: the recipient, "provider/model"; opaque state made by another model is dropped. Without it all state stays.
 */
type SendableOptions = { model?: string | undefined };

/**
 * The same conversation so that: each call has exactly one result, directly behind its answer and in call order, and no
 * two calls have one id; no text is blank and no message empty; a person speaks first, then both in turn; the last word
 * is not the model's (it would be taken for the beginning of the next answer), and there is one; no surrogate is alone, and every name is
 * one that providers take. Linear, and stable: a longer conversation begins with the same messages, but for the last.
 */
export function sendable(messages: readonly Message[], options: SendableOptions = {}): Message[] {
  const told: Message[] = [];
  const unique = uniqueIds();
  for (const { message, slots } of pairResults(messages)) {
    if (message.role === "user") {
      tell(told, withoutBlanks(message));
      continue;
    }
    const keeps = mayKeepState(message, options);
    const calls = slots.map(({ call }) => sendableCall(call, { keeps, id: unique(call.id) }));
    tell(told, answerMessage(message, { keeps, calls }));
    told.push(...calls.map((call, at) => resultOf(call, slots[at]?.result)));
  }
  if (told[0]?.role === "assistant") told.unshift(says(openingWords));
  if ((told.at(-1)?.role ?? "assistant") === "assistant") told.push(says(goOnWords));
  return told;
}

const openingWords = "[The beginning of this conversation is left out.]";
const goOnWords = "Go on.";
const lostWords =
  "No result of this call is known: it may have run, in part or not at all. Check before you repeat it.";

const says = (text: string): Of<"user"> => ({ role: "user", content: [{ type: "text", text }] });

type Slot = { call: ToolCall; result?: Of<"tool"> };
type HistoryTurn = { message: Of<"user"> | Of<"assistant">; slots: Slot[] };

/**
 * Messages of both sides, each answer with its calls and the first result of each. A result belongs to the latest
 * answer before it with a call of that id; one without such a call is dropped.
 */
function pairResults(messages: readonly Message[]): HistoryTurn[] {
  const waiting = new Map<string, Slot[]>();
  const told: HistoryTurn[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      const slot = waiting.get(message.callId)?.shift();
      if (slot) slot.result = message;
      continue;
    }
    const slots =
      message.role === "user"
        ? []
        : message.content.flatMap((part): Slot[] => (part.type === "call" ? [{ call: part.call }] : []));
    for (const { call } of slots) waiting.set(call.id, []);
    for (const slot of slots) waiting.get(slot.call.id)?.push(slot);
    told.push({ message, slots });
  }
  return told;
}

/** Appends a message unless it is empty; merges it with the previous one if both are of the same side. */
function tell(told: Message[], message: Of<"user"> | Of<"assistant">): void {
  if (!isHeard(message)) return;
  const last = told.at(-1);
  if (message.role === "user" && last?.role === "user")
    told[told.length - 1] = { role: "user", content: [...last.content, ...message.content] };
  else if (message.role === "assistant" && last?.role === "assistant")
    told[told.length - 1] = { ...message, content: [...last.content, ...message.content] };
  else told.push(message);
}

/** An answer of nothing but reasoning says nothing. */
const isHeard = (message: Of<"user"> | Of<"assistant">): boolean =>
  message.role === "user"
    ? message.content.length > 0
    : message.content.some(({ type }) => type !== "reasoning");

/**
 * Here and below, a message that needs no change is returned as the same object, so wires can reuse what they encoded.
 */
function withoutBlanks(message: Of<"user">): Of<"user"> {
  const content = message.content.flatMap(spokenParts);
  return isSame(content, message.content) ? message : { role: "user", content };
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((each, at) => each === other[at]);

function spokenParts(part: ContentPart): ContentPart[] {
  if (part.type === "image") return [part];
  return part.text.trim() === "" ? [] : [wellFormed(part)];
}

const isWhole = (part: ContentPart): boolean => part.type === "image" || part.text.isWellFormed();

const wellFormed = <P extends { text: string }>(part: P): P =>
  part.text.isWellFormed() ? part : { ...part, text: part.text.toWellFormed() };

type KeptContent = { keeps: boolean; calls: readonly ToolCall[] };

function answerMessage(message: Of<"assistant">, { keeps, calls }: KeptContent): Of<"assistant"> {
  const { content, state, by } = message;
  const rest = calls.values();
  const parts = content.flatMap((part): AssistantPart[] => {
    if (part.type === "call") {
      const call = rest.next().value ?? part.call;
      return [call === part.call ? part : { type: "call", call }];
    }
    if (part.type === "text") return part.text.trim() === "" ? [] : [wellFormed(part)];
    const thought = keeps || part.state === undefined ? part : { type: part.type, text: part.text };
    return thought.text.trim() === "" && thought.state === undefined ? [] : [wellFormed(thought)];
  });
  const kept = isSame(parts, content) ? content : parts;
  if (kept === content && (keeps || state === undefined) && by === undefined) return message;
  return { role: "assistant", content: kept, ...(keeps && state !== undefined ? { state } : {}) };
}

function sendableCall(said: ToolCall, { keeps, id }: { keeps: boolean; id: string }): ToolCall {
  const { state, ...bare } = said;
  const call = keeps || state === undefined ? said : bare;
  const name = sendableName(said.name);
  const input = wellFormedInput(said.input);
  const raw = said.rawArguments?.toWellFormed();
  const isSame = id === said.id && name === said.name && input === said.input && raw === said.rawArguments;
  if (isSame) return call;
  return { ...call, id, name, input, ...(raw === undefined ? {} : { rawArguments: raw }) };
}

const mayKeepState = ({ by }: Of<"assistant">, { model }: SendableOptions): boolean =>
  by === undefined || model === undefined || isSameModel(by, model);

/**
 * Whether one model's opaque state may be sent to another: only if they are the same apart from a release date. A
 * Claude refuses the signature of another Claude or drops what it signed (platform.claude.com, "Preserved thinking",
 * "Switching models mid-conversation"), OpenAI cannot read what another model has encrypted
 * (`invalid_encrypted_content`, openai/codex issue 17541), Gemini takes a stand-in for signatures that it did not make.
 */
export const isSameModel = (one: string, other: string): boolean => withoutDate(one) === withoutDate(other);

const withoutDate = (model: string): string =>
  model.toLowerCase().replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "");

/**
 * The strictest provider's rule for names: letters, digits, `_` and `-`, at most 64, not starting with a digit or `-`.
 */
export function sendableName(name: string): string {
  if (/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name)) return name;
  const cleaned = name.replaceAll(/[^a-zA-Z0-9_-]+/g, "_");
  if (/^_?$/.test(cleaned)) return "unknown_tool";
  return (/^[a-zA-Z_]/.test(cleaned) ? cleaned : `_${cleaned}`).slice(0, 64);
}

function wellFormedInput(input: JsonObject): JsonObject {
  if (isWellFormed(input)) return input;
  const mended = mend(input);
  return isJsonObject(mended) ? mended : {};
}

/** Uses an explicit stack instead of recursion: a sender may nest arguments arbitrarily deep. */
function isWellFormed(input: JsonObject): boolean {
  const rest: Json[] = [input];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === "string" && !next.isWellFormed()) return false;
    if (typeof next !== "object" || next === null) continue;
    if (!Array.isArray(next) && !Object.keys(next).every((key) => key.isWellFormed())) return false;
    for (const value of Object.values(next)) rest.push(value);
  }
  return true;
}

function mend(value: Json): Json {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mend);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), mend(each)]));
}

function resultOf({ id, name }: ToolCall, result: Of<"tool"> | undefined): Of<"tool"> {
  if (result?.callId === id && result.name === name && result.content.every(isWhole)) return result;
  const content: ContentPart[] = result?.content.map((part) =>
    part.type === "text" ? wellFormed(part) : part,
  ) ?? [{ type: "text", text: lostWords }];
  return { role: "tool", callId: id, name: sendableName(name), content, isError: result?.isError ?? true };
}

/** The first occurrence keeps its id, later ones get a number. */
function uniqueIds(): (id: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (said) => {
    const id = said.toWellFormed() || "call";
    let made = id;
    for (let count = counts.get(id) ?? 2; taken.has(made); count += 1) {
      made = `${id}_${count}`;
      counts.set(id, count + 1);
    }
    taken.add(made);
    return made;
  };
}
