/** The public API: put a runtime together, open sessions, write tools of your own. */
export { loadConfig, type Config } from "./runtime/config.ts";
export { LiveSession, type SessionSetup } from "./runtime/live-session.ts";
export { openSession } from "./runtime/open-session.ts";
export { parseArguments } from "./runtime/arguments.ts";
export {
  modelsWithinReach,
  openStore,
  startRuntime,
  type Runtime,
  type RuntimeRoom,
} from "./runtime/runtime.ts";
export { version } from "./runtime/version.ts";
export type { Command, CommandOutcome } from "./protocol/commands.ts";
export type { Entry, Fact, FactOf, FactType, Mode, Signal } from "./protocol/facts.ts";
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
  Measured,
  ModelKey,
  ModelRecord,
} from "./protocol/dialect-record.ts";
export { ModelError, type ModelErrorKind, type ModelEvent, type Usage } from "./protocol/model-events.ts";
export type { Ask, Call, Message, Part, ToolDescription } from "./protocol/messages.ts";
export type { Dialect } from "./dialects/dialect.ts";
export { dialects } from "./dialects/index.ts";
export { readText, type ReadText, type ReadTextOptions } from "./dialects/read-text.ts";
export { taught } from "./providers/taught-model.ts";
export type { Model, Prompt } from "./providers/provider.ts";
export { catalog } from "./providers/catalog.ts";
export { openSqliteStore } from "./session/sqlite.ts";
export { MemoryStore } from "./session/memory.ts";
export { StaleEpoch, StoreError, type Store } from "./session/store.ts";
export { tools } from "./tools/index.ts";
export { defineTool, failed, ok, type Produced, type Tool, type ToolRoom } from "./tools/tool.ts";
export { wires } from "./wires/index.ts";
export type { Wire, WireName } from "./wires/wire.ts";
