/**
 * Public test helpers: call one tool, check its contract, script a model as an object or a server, run a whole session.
 */

/// <reference types="node" preserve="true" />
export { checkTool, type CheckToolOptions } from "./testing/check-tool.ts";
export { testTool, type TestedCall, type TestToolOptions } from "./testing/test-tool.ts";
export { scriptedModel } from "./providers/scripted-model.ts";
export type {
  ModelScript,
  ScriptedAnswer,
  ScriptedModel,
  ScriptedOptions,
  ScriptedStep,
} from "./providers/scripted-model.ts";
export {
  serveModel,
  type ServerFault,
  type ServedModel,
  type ServedRequest,
  type ServeOptions,
} from "./testing/scripted-server.ts";
export { testSession } from "./testing/test-session.ts";
export type { SessionUnderTest, SessionUnderTestOptions } from "./testing/session-under-test.ts";
export { textOnly, type TextOnlyOptions } from "./testing/text-only.ts";
export { temporaryWorkspace, type TemporaryWorkspace } from "./testing/workspace.ts";
