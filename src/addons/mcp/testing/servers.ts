/** Helpers for this directory's tests: the misbehaving server, and a manager with short waits in its own directory. */

import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import type { JsonObject } from "../../../base/json.ts";
import { childEnvironment } from "../../../base/process.ts";
import { type TestToolContext, testContext } from "../../../tools/testing/context.ts";
import type { ToolResult, Tool } from "../../../tools/tool.ts";
import type { TrustItem } from "../../trust.ts";
import { type ManagerSetup, ServerManager } from "../manager.ts";
import { openSessionServers, type SessionServers } from "../session-servers.ts";
import type { McpServers, McpServerSettings } from "../settings.ts";

const program = join(import.meta.dirname, "server.ts");

/** A server with this behaviour, which logs its starts to `file`. */
export const testServer = (behaviour: string, file = ""): McpServerSettings => ({
  command: process.execPath,
  args: ["--no-warnings", program, behaviour, file],
});

type ServersForTest = {
  manager: ServerManager;
  session: SessionServers;
  place: string;
  setup: ManagerSetup;
  warnings: string[];
  /** Process ids of started programs that were not reported as ended. */
  running: number[];
  context: TestToolContext;
  /** As currently offered. */
  tool: (name: string) => Tool;
  call: (name: string, input: JsonObject) => Promise<ToolResult>;
  /** Waits until this holds. */
  until: (holds: () => boolean) => Promise<unknown>;
  close: () => Promise<void>;
};

export type ServersOptions = Partial<ManagerSetup> & {
  place?: string;
  allows?: (thing: TrustItem) => boolean;
  signal?: AbortSignal;
  isPatient?: boolean;
  /** In milliseconds. */
  firstWait?: number;
};

/** Starts the servers and waits until every start has succeeded or failed. */
export async function startServers(user: McpServers, options: ServersOptions = {}): Promise<ServersForTest> {
  const { place = await temporaryPlace(), signal, isPatient = true } = options;
  const setup = setupFor(user, place, options);
  const manager = new ServerManager(setup);
  const warnings: string[] = [];
  const running: number[] = [];
  const using = {
    warn: (_code: string, text: string) => void (warnings.includes(text) || warnings.push(text)),
    started: ({ pid }: { pid: number }) => {
      running.push(pid);
      return () => void running.splice(running.indexOf(pid), 1);
    },
  };
  const session = await openSessionServers(manager, using, options.firstWait);
  manager.start();
  if (isPatient) await manager.settled();
  const context = testContext(place, signal);
  const tool = (name: string): Tool => toolNamed(session.tools(), name);
  return {
    manager,
    session,
    place,
    setup,
    warnings,
    running,
    context,
    tool,
    call: (name, input) => callOf(tool(name), input, context),
    until: (holds) => vi.waitUntil(holds, { timeout: 10_000 }),
    async close() {
      await session.close();
      if (!options.place) await rm(place, { recursive: true, force: true });
    },
  };
}

function setupFor(
  user: McpServers,
  place: string,
  {
    place: _place,
    signal: _signal,
    isPatient: _isPatient,
    firstWait: _firstWait,
    allows = () => true,
    ...more
  }: ServersOptions,
): ManagerSetup {
  return {
    workspace: place,
    user,
    own: { servers: undefined, path: undefined },
    home: place,
    stateDir: join(place, "state"),
    environment: childEnvironment(process.env),
    variables: process.env,
    version: "0",
    trust: {
      allows,
      filesRun: async () => () => ({ files: [], whole: [], unfollowed: [] }),
      waiting: () => [],
    },
    restAfter: () => 10,
    ...more,
  };
}

function toolNamed(tools: readonly Tool[], name: string): Tool {
  const found = tools.find((one) => one.name === name);
  if (found) return found;
  throw new Error(`There is no ${name} among ${tools.map((one) => one.name).join(", ")}.`);
}

async function callOf(tool: Tool, input: JsonObject, context: TestToolContext): Promise<ToolResult> {
  const prepared = tool.prepare(input);
  if (prepared.ok) return prepared.value.run(context);
  return { outcome: "failed", content: [{ type: "text", text: prepared.problem }] };
}

export const temporaryPlace = async (): Promise<string> =>
  realpath(await mkdtemp(join(tmpdir(), "toolwright-mcp-")));

export const wordsOf = ({ content }: ToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");

export const linesOf = async (path: string): Promise<string[]> =>
  (await readFile(path, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
