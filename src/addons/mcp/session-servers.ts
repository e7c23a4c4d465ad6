/**
 * Connects one session to the runtime's servers: waits for them briefly, reports their notices, leaves them on close.
 */

import { inTime } from "../../base/async.ts";
import type { Fact } from "../../protocol/facts.ts";
import { addedKey, type SessionState } from "../../protocol/session-state.ts";
import { searchTools } from "../../tools/search-tools.ts";
import type { Tool } from "../../tools/tool.ts";
import type { AddonContext } from "../part.ts";
import { toolServerBounds } from "./bounds.ts";
import { answering } from "./change-points.ts";
import type { KnownMcpServer } from "./known-server.ts";
import type { ServerManager, User } from "./manager.ts";
import { resourceTool } from "./resources.ts";
import { lateNotices } from "./server-words.ts";
import type { ServerTool } from "./tools.ts";
import { plainWords } from "./words.ts";

/** Instructions given by a tool server, in characters. */
const mostInstructions = 4_000;

export { ServerManager } from "./manager.ts";
export { promptsOf } from "./prompts.ts";

export type SessionServers = {
  tools(): readonly Tool[];
  /** Whether one that answers now says what each change broke. */
  areAskedAfterChange(): boolean;
  beforeAsk(state: SessionState, signal: AbortSignal): Promise<Fact[]>;
  close(): Promise<void>;
};

/** Starts no server before the first model request. */
export async function openSessionServers(
  manager: ServerManager,
  context: Pick<AddonContext, "started" | "warn">,
  firstWait: number = toolServerBounds.firstWait.most,
): Promise<SessionServers> {
  const user: User = { started: (program) => context.started?.(program) ?? (() => {}) };
  await manager.use(user);
  // Checking trust puts servers without consent on the waiting list; those that cannot run at all need none.
  for (const { problem, isTrusted } of manager.servers()) if (problem === undefined) isTrusted();
  for (const { code, text } of manager.problems()) context.warn(code, text);
  let patience = AbortSignal.timeout(firstWait);
  let waited: number | undefined;
  let told: { of: readonly ServerTool[]; tools: readonly Tool[] } | undefined;
  return {
    tools() {
      const offered = manager.tools();
      if (told?.of !== offered) told = { of: offered, tools: toolsFor(offered, manager) };
      return told.tools;
    },
    areAskedAfterChange: () => answering(manager.servers(), "after-change").length > 0,
    async beforeAsk(state, signal) {
      // A person may have fixed something since the last turn.
      if (waited !== state.turn) {
        patience = AbortSignal.timeout(firstWait);
        for (const { server } of manager.servers()) server.revive();
      }
      waited = state.turn;
      manager.start();
      const { aborted: isLate } = patience;
      await inTime(manager.settled(), { signal: AbortSignal.any([patience, signal]) });
      signal.throwIfAborted();
      const late = !isLate && patience.aborted ? lateNotices(manager.servers()) : [];
      for (const { code, text } of [...late, ...manager.notices()]) context.warn(code, text);
      return manager.servers().flatMap((known) => introduction(known, state));
    },
    close: () => manager.leave(user),
  };
}

/** A server's own instructions, added once. */
function introduction({ name, server }: KnownMcpServer, state: SessionState): Fact[] {
  const { instructions } = server.offer ?? {};
  if (instructions === undefined || instructions.trim() === "") return [];
  if (state.added.has(addedKey({ from: "server", name }))) return [];
  const text = plainWords(instructions, mostInstructions);
  return [{ type: "context-added", from: "server", name, text }];
}

/** All tools; if their definitions are too large, a search tool stands in for them. */
function toolsFor(offered: readonly ServerTool[], manager: ServerManager): Tool[] {
  const settings = new Map(manager.servers().map((known) => [known.name, known.settings]));
  const areMany = isTooMuch(offered.filter(({ of }) => settings.get(of)?.deferred === undefined));
  const isDeferred = ({ of }: ServerTool): boolean => settings.get(of)?.deferred ?? areMany;
  const hidden = offered.filter(isDeferred);
  const tools = offered.map((one): Tool => (isDeferred(one) ? { ...one.tool, deferred: true } : one.tool));
  const resources = resourceTool(() => manager.servers());
  const finder =
    hidden.length === 0 ? [] : [searchTools(countsOf(hidden), () => hidden.map(({ tool }) => tool))];
  return [...finder, ...(resources ? [resources] : []), ...tools];
}

function isTooMuch(offered: readonly ServerTool[]): boolean {
  if (offered.length > toolServerBounds.told.most) return true;
  const lengths = offered.map(({ tool }) => tool.summary.length + JSON.stringify(tool.schema).length);
  return lengths.reduce((sum, length) => sum + length, 0) > toolServerBounds.toldText.most;
}

function countsOf(hidden: readonly ServerTool[]): string {
  const counts = Map.groupBy(hidden, ({ of }) => of);
  return [...counts].map(([of, tools]) => `${tools.length} of ${of}`).join(", ");
}
