import { expect, test } from "vitest";
import { ModelError } from "../protocol/model-events.ts";
import { isRefusalOfTools, isUnreadByServer } from "./tool-failures.ts";

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
