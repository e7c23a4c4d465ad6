/** Gives a session its MCP servers. Loads nothing where none are configured or brought by the workspace. */

import { LongWorks } from "../../base/long-work.ts";
import type { AddonPart, AddonContext, AddonOpener } from "../part.ts";
import type { CalledPrompt, PromptCall } from "./called-prompt.ts";
import { bringsServers } from "./configured-files.ts";
import type { KnownMcpServer } from "./known-server.ts";
import type { ManagerSetup, ServerManager } from "./manager.ts";
import type { ServerPrompt } from "./prompts.ts";
import type * as sessionServers from "./session-servers.ts";

/** The MCP servers of a runtime. */
export type McpServersOfRuntime = {
  part: AddonOpener;
  /** The prompts that people can call as `/server:prompt`, once their servers run. */
  prompts(): readonly ServerPrompt[];
  /** Names of servers that may run but have not listed their prompts yet. */
  unknown(): readonly string[];
  /** Starts the server if needed. Undefined: no server has this prompt. */
  called(call: PromptCall): Promise<CalledPrompt | { problem: string } | undefined>;
};

export function mcpOf(setup: ManagerSetup): McpServersOfRuntime {
  let loaded: LoadedServers | undefined;
  const load = async (): Promise<LoadedServers> => {
    const module = await import("./session-servers.ts");
    return (loaded ??= { module, manager: new module.ServerManager(setup) });
  };
  return {
    // Subagents use their parent's tools.
    part: (context) =>
      context.parent === undefined && hasServers(setup) ? partFor(context, load) : undefined,
    prompts: () => (loaded ? loaded.module.promptsOf(loaded.manager.servers()) : []),
    unknown: () => (loaded?.manager.servers() ?? []).filter(isUnknown).map(({ name }) => name),
    async called(call) {
      if (!hasServers(setup)) return undefined;
      const [{ manager }, { calledPrompt }] = await Promise.all([load(), import("./called-prompt.ts")]);
      return calledPrompt(manager, call);
    },
  };
}

const isUnknown = ({ problem, server: { state, offer }, isTrusted }: KnownMcpServer): boolean =>
  offer === undefined &&
  problem === undefined &&
  (state.type === "resting" || state.type === "starting") &&
  isTrusted();

const hasServers = ({ user, own, workspace, areLent }: ManagerSetup): boolean =>
  Object.keys(user ?? {}).length > 0 ||
  (!areLent && (Object.keys(own.servers ?? {}).length > 0 || bringsServers(workspace)));

type LoadedServers = { module: typeof sessionServers; manager: ServerManager };

function partFor(context: AddonContext, load: () => Promise<LoadedServers>): AddonPart {
  let servers: sessionServers.SessionServers | undefined;
  let isClosed = false;
  const open = async (): Promise<void> => {
    const { module, manager } = await load();
    const opened = await module.openSessionServers(manager, context);
    if (isClosed) await opened.close();
    else servers = opened;
  };
  const works = new LongWorks();
  const opening = works.during("tool servers are set up", open);
  opening.catch((error: unknown) => context.warn("mcp", `Tool servers cannot be used: ${String(error)}`));
  return {
    tools: () => servers?.tools() ?? [],
    works: () => works.all(),
    ready: () => opening.catch(() => undefined),
    async beforeAsk(state, signal) {
      await opening.catch(() => undefined);
      const before = async () => servers?.beforeAsk(state, signal) ?? [];
      return works.during("tool servers start", before);
    },
    async close() {
      isClosed = true;
      await opening.catch(() => undefined);
      await servers?.close();
    },
  };
}
