/**
 * The names we use from the OpenTelemetry conventions for generative AI (their repository `semantic-conventions-genai`,
 * in development), and our own for what they do not cover.
 */

export const operations = { agent: "invoke_agent", chat: "chat", tool: "execute_tool" } as const;

export const attributes = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  agentName: "gen_ai.agent.name",
  agentVersion: "gen_ai.agent.version",
  conversation: "gen_ai.conversation.id",
  requestModel: "gen_ai.request.model",
  requestStream: "gen_ai.request.stream",
  responseModel: "gen_ai.response.model",
  finishReasons: "gen_ai.response.finish_reasons",
  firstChunk: "gen_ai.response.time_to_first_chunk",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  cacheRead: "gen_ai.usage.cache_read.input_tokens",
  cacheWrite: "gen_ai.usage.cache_creation.input_tokens",
  reasoningTokens: "gen_ai.usage.reasoning.output_tokens",
  tokenType: "gen_ai.token.type",
  toolName: "gen_ai.tool.name",
  toolCall: "gen_ai.tool.call.id",
  toolType: "gen_ai.tool.type",
  errorType: "error.type",
  inputMessages: "gen_ai.input.messages",
  systemInstructions: "gen_ai.system_instructions",
  outputMessages: "gen_ai.output.messages",
  toolArguments: "gen_ai.tool.call.arguments",
  toolResult: "gen_ai.tool.call.result",
  turn: "toolwright.turn",
  mode: "toolwright.mode",
  stopped: "toolwright.stopped",
  resumed: "toolwright.turn.resumed",
  leftOpen: "toolwright.turn.left_open",
  answers: "toolwright.answers",
  calls: "toolwright.calls",
  changedFiles: "toolwright.changed_files",
  cost: "toolwright.cost",
  compaction: "toolwright.compaction",
  outcome: "toolwright.outcome",
  does: "toolwright.tool.does",
  verdict: "toolwright.decision",
  risk: "toolwright.risk",
  waited: "toolwright.approval.wait",
  hook: "toolwright.hook",
  hookEvent: "toolwright.hook.event",
  httpMethod: "http.request.method",
  httpRoute: "http.route",
  httpStatus: "http.response.status_code",
  urlPath: "url.path",
  urlScheme: "url.scheme",
  served: "toolwright.served_model",
  mended: "toolwright.mended_calls",
} as const;

export const metrics = {
  operationDuration: "gen_ai.client.operation.duration",
  firstChunk: "gen_ai.client.operation.time_to_first_chunk",
  tokenUsage: "gen_ai.client.token.usage",
  serverDuration: "gen_ai.server.request.duration",
  firstToken: "gen_ai.server.time_to_first_token",
  perOutputToken: "gen_ai.server.time_per_output_token",
  httpDuration: "http.server.request.duration",
  agentDuration: "gen_ai.invoke_agent.duration",
  toolDuration: "gen_ai.execute_tool.duration",
} as const;

/** The variable by which every generative AI instrumentation is told to record message contents. */
export const contentVariable = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
