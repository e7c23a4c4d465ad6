/**
 * Checks whether a vendor would accept a request: its documented rules for a history, as a list of complaints. Based on
 * the vendors' documents and not on our encoders; each rule cites its source.
 */

import { isObject } from "../../src/base/json.ts";
import type { WireName } from "../../src/wires/wire.ts";

type Fields = Record<string, unknown>;
type Complain = (rule: string) => void;

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
const isBlank = (value: unknown): boolean => typeof value !== "string" || value.trim() === "";

/** The violations in a request body, in words; empty if the vendor would accept it. */
export function complaintsOf(wire: WireName, body: unknown): string[] {
  const said: string[] = [];
  const text = JSON.stringify(body);
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(text)) said.push("a surrogate stands alone");
  judges[wire](fieldsOf(body), (rule) => void said.push(rule));
  return said;
}

const judges: Readonly<Record<WireName, (body: Fields, complain: Complain) => void>> = {
  anthropic,
  "openai-chat": openAiChat,
  "openai-responses": openAiResponses,
  ollama,
  gemini,
  cohere,
};

/**
 * https://platform.claude.com/docs/en/api/messages, …/agents-and-tools/tool-use/handle-tool-calls ("Tool result blocks
 * must immediately follow their corresponding tool use blocks", "tool_result blocks must come FIRST in the content"),
 * …/build-with-claude/prompt-caching (four breakpoints, none on thinking or empty texts),
 * …/build-with-claude/thinking (signatures go back unchanged; with a budget a turn's first answer begins with one).
 */
function anthropic(body: Fields, complain: Complain): void {
  const messages = listOf(body["messages"]).map(fieldsOf);
  if (messages[0]?.["role"] !== "user") complain("the first message is not the user's");
  if (messages.at(-1)?.["role"] !== "user") complain("the last message is a prefill");
  const seen = new Set<unknown>();
  let awaited: unknown[] = [];
  let marks = countMarks(listOf(body["system"])) + countMarks(listOf(body["tools"]));
  for (const [at, { role, content }] of messages.entries()) {
    const blocks = listOf(content).map(fieldsOf);
    marks += countMarks(blocks);
    if (role !== (at % 2 === 0 ? "user" : "assistant")) complain(`messages.${at}: roles must alternate`);
    if (blocks.length === 0) complain(`messages.${at}: all messages must have non-empty content`);
    for (const block of blocks) anthropicBlock(block, complain);
    const results = blocks.filter(({ type }) => type === "tool_result").map((block) => block["tool_use_id"]);
    const leading = blocks.slice(0, results.length).every(({ type }) => type === "tool_result");
    if (!leading) complain(`messages.${at}: tool_result blocks must come first`);
    if (role === "user" && !isSameSet(results, awaited))
      complain(
        `messages.${at}: tool_use ids ${String(awaited)} and tool_result ids ${String(results)} differ`,
      );
    const calls = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    for (const id of calls) {
      if (seen.has(id)) complain("tool_use ids must be unique");
      seen.add(id);
    }
    if (role === "assistant") awaited = calls;
  }
  if (marks > 4) complain(`a maximum of 4 blocks with cache_control may be provided, found ${marks}`);
  thinkingRules(body, messages, complain);
}

const countMarks = (blocks: readonly unknown[]): number =>
  blocks.filter((block) => fieldsOf(block)["cache_control"] !== undefined).length;

const isSameSet = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && new Set([...some, ...others]).size === some.length;

const isThought = (block: Fields | undefined): boolean =>
  block?.["type"] === "thinking" || block?.["type"] === "redacted_thinking";

function anthropicBlock(block: Fields, complain: Complain): void {
  const { type, text, id, name, input, content, is_error: isError, tool_use_id: answered } = block;
  if (type === "text" && isBlank(text)) complain("text content blocks must contain non-whitespace text");
  if (isThought(block) && block["cache_control"] !== undefined) complain("thinking cannot be marked");
  if (type === "thinking" && isBlank(block["signature"])) complain("thinking.signature: Field required");
  if (type === "tool_use" && !isObject(input)) complain("tool_use.input: must be an object");
  for (const each of [id, answered])
    if (each !== undefined && !/^[a-zA-Z0-9_-]+$/.test(shown(each)))
      complain(`id ${shown(each)}: wrong pattern`);
  if (name !== undefined && !/^[a-zA-Z0-9_-]{1,128}$/.test(shown(name))) complain(`name ${shown(name)}`);
  if (type !== "tool_result") return;
  if (isError === true && listOf(content).length === 0)
    complain("content cannot be empty if is_error is true");
  for (const part of listOf(content)) anthropicBlock(fieldsOf(part), complain);
}

function thinkingRules(body: Fields, messages: readonly Fields[], complain: Complain): void {
  const thinking = fieldsOf(body["thinking"]);
  const blocks = messages.flatMap(({ content }) => listOf(content).map(fieldsOf));
  const binds = /claude-(?:[a-z]+-)5-[1-9]/.test(String(body["model"]));
  if (
    binds &&
    blocks.some(isThought) &&
    fieldsOf(thinking["block_binding"])["prefix_mismatch_behavior"] !== "drop_block"
  )
    complain("a thought whose prefix has changed would be refused");
  if (thinking["type"] !== "enabled") return;
  const asked = messages.findLastIndex(
    ({ role, content }) => role === "user" && fieldsOf(listOf(content)[0])["type"] !== "tool_result",
  );
  const [first] = listOf(messages[asked + 1]?.["content"]).map(fieldsOf);
  if (first && !isThought(first))
    complain("expected `thinking` or `redacted_thinking`, but found something else");
}

/**
 * https://developers.openai.com/api/docs/api-reference/chat ("messages with role 'tool' must be a response to a
 * preceding message with 'tool_calls'", "tool_calls must be followed by tool messages responding to each
 * 'tool_call_id'", ids of at most 64 characters, function names `^[a-zA-Z0-9_-]{1,64}$`). Compatible servers put the
 * messages into chat templates, most of which want users and answers in turn.
 */
function openAiChat(body: Fields, complain: Complain): void {
  const messages = withoutSystem(body["messages"]);
  turnRules(messages, complain);
  pairRules(messages, complain);
  for (const { role, content, tool_calls: calls } of messages) {
    if (role === "user" && !says(content)) complain("a user message says nothing");
    if (role === "assistant" && !says(content) && listOf(calls).length === 0)
      complain("an answer says nothing");
    for (const call of listOf(calls).map(fieldsOf)) {
      const { name, arguments: given } = fieldsOf(call["function"]);
      nameRule(name, complain);
      if (typeof given !== "string" || !isObject(JSON.parse(given))) complain("arguments are not an object");
      if (String(call["id"]).length > 64) complain("tool_calls.id: string too long");
    }
  }
}

const withoutSystem = (messages: unknown): Fields[] =>
  listOf(messages)
    .map(fieldsOf)
    .filter(({ role }, at) => role !== "system" || at > 0);

const says = (content: unknown): boolean =>
  typeof content === "string"
    ? content.trim() !== ""
    : listOf(content)
        .map(fieldsOf)
        .some((part) => part["text"] === undefined || !isBlank(part["text"]));

function nameRule(name: unknown, complain: Complain): void {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(shown(name))) complain(`function name ${shown(name)}: wrong pattern`);
}

function turnRules(messages: readonly Fields[], complain: Complain): void {
  if (messages[0]?.["role"] !== "user") complain("the conversation does not begin with the user");
  const last = messages.at(-1)?.["role"];
  if (last !== "user" && last !== "tool") complain("the last message is half an answer");
  for (const [at, { role }] of messages.entries()) {
    const before = messages[at - 1]?.["role"];
    if (role === before && role !== "tool")
      complain(`two messages of the ${String(role)} follow on each other`);
  }
}

/** Pairs calls and results, for formats in which a result is a separate message. */
function pairRules(messages: readonly Fields[], complain: Complain): void {
  let awaited: unknown[] = [];
  for (const message of [...messages, { role: "end" }]) {
    if (message.role === "tool") {
      if (awaited.shift() !== fieldsOf(message)["tool_call_id"])
        complain("a result is not that of the next call");
      continue;
    }
    if (awaited.length > 0) complain(`calls without results: ${String(awaited)}`);
    awaited = listOf(fieldsOf(message)["tool_calls"]).map((call) => fieldsOf(call)["id"]);
    if (new Set(awaited).size < awaited.length) complain("two calls of an answer have one id");
  }
}

/**
 * https://developers.openai.com/api/docs/guides/reasoning and …/guides/function-calling: "No tool call found for
 * function call output", "No tool output found for function call", "Item 'rs_…' of type 'reasoning' was provided
 * without its required following item", call_id of at most 64 characters.
 */
function openAiResponses(body: Fields, complain: Complain): void {
  const items = listOf(body["input"]).map(fieldsOf);
  if (items[0]?.["role"] !== "user") complain("the conversation does not begin with the user");
  if (!["user", undefined].some((role) => items.at(-1)?.["role"] === role))
    complain("the last item is an answer");
  const called = new Set<unknown>();
  const answered = new Set<unknown>();
  for (const [at, item] of items.entries()) {
    const { type, call_id: id, content } = item;
    if (id !== undefined && (isBlank(id) || shown(id).length > 64)) complain("call_id: wrong length");
    if (type === "message" && !says(content)) complain("a message says nothing");
    if (type === "reasoning") followRule(items[at + 1], complain);
    if (type === "function_call") {
      if (called.has(id)) complain("two calls have one id");
      called.add(id);
      nameRule(item["name"], complain);
    }
    if (type !== "function_call_output") continue;
    if (!called.has(id)) complain("no tool call found for function call output");
    if (answered.has(id)) complain("two outputs for one call");
    answered.add(id);
  }
  for (const id of called) if (!answered.has(id)) complain("no tool output found for function call");
  if (isBlank(body["prompt_cache_key"] ?? "key") || shown(body["prompt_cache_key"] ?? "").length > 64)
    complain("prompt_cache_key: wrong length");
}

function followRule(next: Fields | undefined, complain: Complain): void {
  const isAnswer = next?.["type"] === "message" && next["role"] === "assistant";
  if (!isAnswer && next?.["type"] !== "function_call" && next?.["type"] !== "reasoning")
    complain("reasoning without its required following item");
}

/** https://docs.ollama.com/capabilities/tool-calling; templates of its models want users and answers in turn. */
function ollama(body: Fields, complain: Complain): void {
  const messages = withoutSystem(body["messages"]);
  turnRules(messages, complain);
  pairRules(messages, complain);
  for (const { role, content, images, tool_calls: calls, tool_name: name } of messages) {
    if (typeof content !== "string") complain("content is a text here");
    const isMute = isBlank(content) && listOf(images).length === 0 && listOf(calls).length === 0;
    if (isMute && role !== "tool") complain("a message says nothing");
    if (role === "tool" && isBlank(name)) complain("a result without its tool's name");
    for (const call of listOf(calls)) {
      const { name: called, arguments: given } = fieldsOf(fieldsOf(call)["function"]);
      nameRule(called, complain);
      if (!isObject(given)) complain("arguments are an object here");
    }
  }
}

/**
 * https://ai.google.dev/gemini-api/docs/function-calling ("Please ensure that function call turn comes immediately
 * after a user turn or after a function response turn", "the number of function response parts is equal to the number
 * of function call parts"; names begin with a letter or underscore, at most 64 characters), and
 * …/docs/thought-signatures: with Gemini 3 the first call of each step of the current turn bears a signature.
 */
function gemini(body: Fields, complain: Complain): void {
  const contents = listOf(body["contents"]).map(fieldsOf);
  if (contents[0]?.["role"] !== "user") complain("the conversation does not begin with the user");
  if (contents.at(-1)?.["role"] !== "user") complain("the last content is the model's");
  let calls: Fields[] = [];
  for (const [at, { role, parts }] of contents.entries()) {
    const all = listOf(parts).map(fieldsOf);
    if (all.length === 0) complain("contents.parts must not be empty");
    if (role === contents[at - 1]?.["role"]) complain("two contents of one role follow on each other");
    const results = partsOf(all, "functionResponse");
    if (role === "user" && results.length !== calls.length) complain("not as many responses as calls");
    if (results.some(({ id, name }, nth) => id !== calls[nth]?.["id"] || name !== calls[nth]?.["name"]))
      complain("a response is not that of its call");
    calls = partsOf(all, "functionCall");
    for (const { name, args } of calls) {
      if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(shown(name))) complain(`function name ${shown(name)}`);
      if (!isObject(args)) complain("args are not an object");
    }
    const first = all.find((part) => part["functionCall"] !== undefined);
    if (first && isBlank(first["thoughtSignature"]))
      complain("a function call is missing a thought_signature");
    if (all.some((part) => isBlank(part["text"] ?? "x") && isBlank(part["thoughtSignature"])))
      complain("a text says nothing");
  }
}

const partsOf = (parts: readonly Fields[], key: string): Fields[] =>
  parts.flatMap((part) => (part[key] === undefined ? [] : [fieldsOf(part[key])]));

/**
 * https://docs.cohere.com/v2/reference/chat and …/docs/tool-use-overview: results follow the answer that called, in an
 * answer with calls there is a plan or a thought but no text, and each message says something.
 */
function cohere(body: Fields, complain: Complain): void {
  const messages = withoutSystem(body["messages"]);
  turnRules(messages, complain);
  pairRules(messages, complain);
  for (const { content, tool_calls: calls } of messages) {
    const called = listOf(calls).map(fieldsOf);
    if (called.length === 0 && !says(content)) complain("a message says nothing");
    if (called.length > 0 && listOf(content).some((part) => fieldsOf(part)["type"] === "text"))
      complain("text content is not allowed when tool_calls are provided");
    for (const call of called) nameRule(fieldsOf(call["function"])["name"], complain);
  }
}

/**
 * The stricter reading of one vendor of the Chat Completions format:
 * mistral-common, src/mistral_common/protocol/instruct/validator.py (MistralRequestValidatorV3).
 */
export function shortIdComplaints(body: unknown): string[] {
  const said: string[] = [];
  const messages = listOf(fieldsOf(body)["messages"]).map(fieldsOf);
  pairRules(withoutSystem(messages), (rule) => void said.push(rule));
  for (const [at, { role, tool_call_id: id, tool_calls: calls }] of messages.entries()) {
    const ids = [id, ...listOf(calls).map((call) => fieldsOf(call)["id"])].filter(
      (each) => each !== undefined,
    );
    if (!ids.every((each) => /^[a-zA-Z0-9]{9}$/.test(shown(each))))
      said.push(`tool call id was ${shown(ids)}`);
    if (role === "user" && messages[at - 1]?.["role"] === "tool")
      said.push("unexpected role 'user' after role 'tool'");
  }
  return said;
}

/** Formats a value as the vendor's message would. */
const shown = (value: unknown): string =>
  typeof value === "string" ? value : Array.isArray(value) ? value.map(shown).join() : JSON.stringify(value);
