import { expect, test } from "vitest";
import { ModelError, type ModelErrorKind } from "../protocol/model-events.ts";
import { blameTools, isRefusalOfTools, isUnreadByServer } from "./tool-failures.ts";

const said = (words: string, details: { status?: number; midStream?: boolean } = { status: 400 }) =>
  new ModelError("bad-request", `The provider refused the request (400): ${words}`, details);

test.each([
  "registry.ollama.ai/library/gemma:2b does not support tools",
  '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  "tools param requires --jinja flag",
  "No endpoints found that support tool use. Try disabling it.",
  "`tool calling` is not supported with this model",
  "Function calling is not enabled for this model",
  "This model doesn't support function calling.",
  "this model does not support Function Calling",
  "Tools are not supported in streaming mode.",
])("is recognised as a refusal of tools: %s", (words) => {
  expect(isRefusalOfTools(said(words))).toBe(true);
  expect(isRefusalOfTools(said(words, {}))).toBe(false);
  expect(isRefusalOfTools(said(words, { status: 400, midStream: true }))).toBe(false);
});

test.each([
  "Invalid schema for function 'edit_file': 'required' is required to be supplied and to be an array",
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
  "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
  "`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.",
  "Unsupported parameter: 'max_tokens' is not supported with this model.",
  "m does not support thinking",
  "This model does not support image input.",
  "prompt is too long",
])("is not taken for a refusal of tools: %s", (words) => {
  expect(isRefusalOfTools(said(words))).toBe(false);
});

test("a server's failure to parse its model's calls is recognised by the fault code, not by the message", () => {
  const fault = (name: ModelError["fault"]) => new ModelError("server", "Broken.", { fault: name });
  expect(isUnreadByServer(fault("malformed_by_provider"))).toBe(true);
  expect(isUnreadByServer(fault("empty_tool_use"))).toBe(true);
  expect(isUnreadByServer(fault("incomplete_stream"))).toBe(false);
  expect(isUnreadByServer(said("error parsing tool call"))).toBe(false);
  expect(isUnreadByServer(new Error("Broken."))).toBe(false);
  expect(isRefusalOfTools("does not support tools")).toBe(false);
});

const isBlamed = (kind: ModelErrorKind, words: string, details: object): boolean =>
  isUnreadByServer(blameTools(new ModelError(kind, "It failed.", { said: words, ...details })));

test.each([
  "XML syntax error on line 7: expected element name after <",
  "XML syntax error on line 8: element <function> closed by </parameter>",
  "failed to parse XML: XML syntax error on line 1: element <tool_call> closed by </arg_value>",
  "expected element type <function> but have <parameter>",
  "EOF",
  "mismatched arg_key and arg_value counts: 2 keys, 1 values",
  'tool "memory_load" is not declared',
  "required argument 'path' is missing for tool 'connect'",
  "empty function name",
  "invalid format",
  "expected 'call:' prefix",
  "invalid tool call: no matching closing parenthesis",
  "Invalid diff: now finding less tool calls!",
  "Unexpected empty grammar stack after accepting piece: x",
  'unexpected tokens remaining in message header: Some("to=functions.read")',
  "Unknown recipient: read",
  "a sentence of a reader that does not exist yet",
])("is taken for the server's failure to read a call, in mid-stream and as a 500: %s", (words) => {
  expect(isBlamed("server", words, { fault: "stream_error" })).toBe(true);
  expect(isBlamed("server", words, { midStream: true })).toBe(true);
  expect(isBlamed("server", words, { status: 500 })).toBe(true);
  expect(isBlamed("overloaded", words, { status: 503 })).toBe(false);
});

test.each([
  "CUDA error: out of memory",
  "llama runner process has terminated: signal: killed",
  "model failed to load, this may be due to resource limitations",
  "do request: Post http://127.0.0.1:3456/completion: EOF: connection reset",
  "timed out waiting for the server to answer",
  "Internal Server Error (ref: 7b3c)",
  "The server had an error while processing your request. Sorry about that!",
  "Provider returned error",
  "An unexpected error occurred. Please try again.",
  "",
])("is not blamed on a call: %s", (words) => {
  expect(isBlamed("server", words, { status: 500 })).toBe(false);
  expect(isBlamed("server", words, { fault: "stream_error" })).toBe(false);
});

test("a refused request is blamed on a call only if it speaks of what was generated, or reports it", () => {
  const refused = { status: 400 };
  const told = [
    "Failed to generate tool_calls.",
    "tool call validation failed: x",
    "Unknown recipient: read",
  ];
  for (const words of told) expect(isBlamed("bad-request", words, refused)).toBe(true);
  const others = [
    "Invalid schema for function 'edit_file': 'required' is required to be supplied and to be an array",
    "`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.",
    "Unsupported parameter: 'max_tokens' is not supported with this model.",
  ];
  for (const words of others) expect(isBlamed("bad-request", words, refused)).toBe(false);
  expect(isBlamed("bad-request", "No.", { ...refused, written: "[f()]" })).toBe(true);
});
