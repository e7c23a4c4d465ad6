/** The public API: assemble a runtime, open sessions, and write your own tools, models, dialects and hooks. */

/// <reference types="node" preserve="true" />
export {
  openAgent,
  openRuntime,
  type Agent,
  type AgentOptions,
  type AgentTurn,
  type RuntimeOptions,
} from "./runtime/open-agent.ts";
export { loadConfig, type Config, type ConfigSources } from "./configuration/config.ts";
export { LiveSession, type SessionSetup } from "./runtime/live-session.ts";
export { openSession } from "./runtime/open-session.ts";
export { parseArguments, type Arguments } from "./configuration/options/arguments.ts";
export {
  modelsWithinReach,
  openStore,
  startRuntime,
  type ProviderReach,
  type Runtime,
} from "./runtime/runtime.ts";
export type { RuntimeContext } from "./runtime/runtime-context.ts";
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
} from "./protocol/session-state.ts";
export type {
  CallCounts,
  DialectRecord,
  DialectMeasurement,
  ModelKey,
  ModelRecord,
} from "./protocol/dialect-record.ts";
export { ModelError, type ModelErrorKind, type ModelEvent, type Usage } from "./protocol/model-events.ts";
export type { Ask, ToolCall, Message, ContentPart, ToolDescription } from "./protocol/messages.ts";
export type { AddonPart, AddonContext, OpenPart } from "./addons/part.ts";
export type { TrustItem, Trust } from "./addons/trust.ts";
export type { EventReceiver, Observer, SessionObserved } from "./addons/observer.ts";
export { openTelemetry, type TelemetryOptions } from "./addons/telemetry/open.ts";
export type {
  CallAbout,
  ChangeAbout,
  Extensions,
  GuardResult,
  ResultAbout,
  ExtensionNotes,
} from "./agent/extensions.ts";
export type {
  Dialect,
  MarkedDialect,
  Opener,
  WholeDialect,
  WrittenCall,
  WrittenResult,
} from "./dialects/dialect.ts";
export { dialects } from "./dialects/index.ts";
export { lesson, resultRules, taggedResults, type Lesson } from "./dialects/grammar/lesson.ts";
export { readText, type ReadText, type ReadTextOptions } from "./dialects/read-text.ts";
export type { ReadCall } from "./dialects/reading/read-call.ts";
export {
  marksOf,
  takeMark,
  takeSpace,
  takeUntil,
  takeWhile,
  type Marks,
  type OfferedTools,
  type BlockReader,
  type StreamReading,
} from "./dialects/reading/reader.ts";
export { taughtModel, type TaughtOptions } from "./providers/taught-model.ts";
export type { Model, Prompt } from "./providers/provider.ts";
export { catalog, type Provider } from "./providers/catalog.ts";
export { openSqliteStore } from "./session/sqlite/sqlite.ts";
export { MemoryStore } from "./session/memory/memory.ts";
export { StaleEpoch, StoreError, type SessionSummary, type Store } from "./session/store.ts";
export { tools } from "./tools/index.ts";
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
export { wires } from "./wires/index.ts";
export type { Wire, WireName } from "./wires/wire.ts";
