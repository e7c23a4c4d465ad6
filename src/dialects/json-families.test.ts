import { expect, test } from "vitest";
import { dialectOf } from "./choose.ts";
import { dialects } from "./index.ts";

test.each([
  ["meituan-longcat/LongCat-Flash-Chat", "longcat"],
  ["granite3.3:8b", "granite"],
  ["ibm-granite/granite-3.1-8b-instruct", "granite"],
  ["granite4:small-h", "hermes"],
  ["granite-20b-functioncalling", "granite-function"],
  ["nvidia/NVIDIA-Nemotron-Nano-9B-v2", "nemotron"],
  ["nvidia/Llama-3_3-Nemotron-Super-49B-v1_5", "nemotron"],
  ["ai21labs/AI21-Jamba-1.5-Mini", "jamba"],
  ["tencent/Hunyuan-A13B-Instruct", "hunyuan"],
  ["MiniMaxAI/MiniMax-M1-80k", "minimax-m1"],
  ["ServiceNow-AI/Apriel-1.6-15b-Thinker", "apriel"],
  ["baidu/ERNIE-4.5-21B-A3B-Thinking", "ernie"],
  ["phi4-mini:3.8b", "phi-4"],
  ["command-r-plus:104b", "command-r"],
  ["CohereForAI/c4ai-command-r7b-12-2024", "cohere-command"],
  ["command-r7b", "cohere-command"],
  ["command-a:111b", "cohere-command"],
  ["swiss-ai/Apertus-8B-Instruct-2509", "apertus"],
  ["internlm/internlm2_5-7b-chat", "internlm2"],
  ["internlm3-8b-instruct", "internlm2"],
  ["ai-sage/GigaChat3-10B-A1.8B", "gigachat"],
  ["ai-sage/GigaChat3.5-base", "gigachat-3.5"],
  ["upstage/Solar-Open-100B", "solar"],
  ["upstage/Solar-Open2-250B", "solar-2"],
])("the model name %s selects the dialect %s", (model, name) => {
  expect(dialectOf({ model })?.dialect.name).toBe(name);
});

test.each([
  ["granite", "<|start_of_role|>assistant<|end_of_role|><|tool_call|>"],
  ["granite-function", "<|function_call_library|> output <function_call> {"],
  ["jamba", "<|bom|><|assistant|><tool_calls>["],
  ["hunyuan", "<tool_calls>[</tool_calls><|extra_0|>"],
  ["minimax-m1", "<beginning_of_sentence>ai name=assistant\n<tool_calls>\n"],
  ["apriel", "[BEGIN FINAL RESPONSE] <tool_calls>["],
  ["ernie", '<tool_call>\n{"name" … <response>'],
  ["command-r", "Write 'Action:' … use the `directly-answer` tool"],
  ["cohere-command", "1. Action: write <|START_ACTION|> … <|END_ACTION|>"],
  ["gigachat", "function call<|role_sep|>\n<|message_sep|>"],
  ["gigachat-3.5", "<|role_sep|> GCML add_tokens.role_sep message_sep"],
  ["longcat", '<longcat_tool_call>\n{"name": …}'],
  ["longcat-xml", "<longcat_tool_call>name\n<longcat_arg_key>"],
])("the dialect %s is recognised by its chat template", (name, template) => {
  expect(dialectOf({ model: "", template })?.dialect.name).toBe(name);
  expect(dialects[name]?.name).toBe(name);
});
