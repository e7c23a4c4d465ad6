/** `<tool_calls>…</tool_calls>`: a list of JSON objects, or an object a line. Any of the families may give its calls ids. */

export const toolCalls = {
  opener: "<tool_calls>",
  closer: "</tool_calls>",
  reads: { closers: ["</tool_call>"], shape: { ids: true } },
} as const;
