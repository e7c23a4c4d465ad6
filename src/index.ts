/** The public API: assemble a runtime, open sessions, and write your own tools, models, dialects and hooks. */

/// <reference types="node" preserve="true" />
export {
  openAgent,
  openRuntime,
  type Agent,
  type AgentOptions,
  type AgentRuntime,
  type AgentTurn,
  type RuntimeOptions,
  type SessionChoice,
} from "./runtime/open-agent.ts";
export type { AgentSession } from "./runtime/agent-session.ts";
export type { ContextReport } from "./agent/context/report.ts";
export type { Review } from "./session/checkpoints/review.ts";
export { version } from "./configuration/options/version.ts";
export type { Expected } from "./base/expected.ts";
export type { Json, JsonObject } from "./base/json.ts";
export type { Command, CommandOutcome } from "./protocol/commands.ts";
export type { Entry, Fact, FactOf, FactType, Mode, CallOutcome, Signal } from "./protocol/facts.ts";
export {
  conversation,
  currentTurn,
  pendingApprovals,
  pendingQuestions,
  type SessionState,
  type TurnState,
} from "./protocol/session-state.ts";
export {
  defineTool,
  failedResult,
  ok,
  type PreparedCall,
  type ToolResult,
  type Tool,
  type ToolDefinition,
  type ToolContext,
} from "./tools/tool.ts";
export { tools } from "./tools/index.ts";
export type { Change } from "./base/safe-fs/image.ts";
export type { Tree } from "./base/safe-fs/tree.ts";
export type { WorkspaceEffects } from "./protocol/workspace-effects.ts";
export type { Model } from "./providers/provider.ts";
export { ModelError, type ModelErrorKind, type ModelEvent, type Usage } from "./protocol/model-events.ts";
export type { ContentPart, Message, Prompt, ToolCall, ToolDescription } from "./protocol/messages.ts";
export type { AddonPart, AddonContext, AddonOpener } from "./addons/part.ts";
export type { TrustItem, Trust } from "./addons/trust.ts";
export type {
  CallDescription,
  ChangeDescription,
  Extensions,
  GuardResult,
  ResultDescription,
  ExtensionNotes,
} from "./agent/extensions.ts";
export type { EventReceiver, Observer, ObservedSession } from "./addons/observer.ts";
export { openTelemetry, type TelemetryOptions } from "./addons/telemetry/open.ts";
export type {
  AnswerTool,
  Dialect,
  Lesson,
  MarkedDialect,
  Opener,
  WholeDialect,
  WrittenCall,
  WrittenResult,
} from "./dialects/dialect.ts";
export type { HeldForm, TaggedInput } from "./dialects/constraint/held-form.ts";
export { dialects } from "./dialects/index.ts";
export { taggedResults } from "./dialects/grammar/lesson.ts";
export { readText, type ParsedAnswer, type ReadTextOptions } from "./dialects/read-text.ts";
export {
  marksOf,
  takeMark,
  takeSpace,
  takeUntil,
  takeWhile,
  type Marks,
  type OfferedTools,
  type BlockReader,
  type ReadCall,
  type StreamReading,
} from "./dialects/reading/reader.ts";
export { taughtModel } from "./providers/taught-model.ts";
export { openMemoryStore } from "./session/sqlite/memory-store.ts";
export {
  SessionHeld,
  StaleEpoch,
  StoreError,
  type ContentStore,
  type DialectStatistics,
  type SessionClaims,
  type SessionRecords,
  type SessionSummary,
  type Store,
  type StoredLog,
} from "./session/store.ts";
