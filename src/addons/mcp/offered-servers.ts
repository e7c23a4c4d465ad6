/**
 * Tool servers that the program at the other end offers to its sessions: an editor's own powers. They are nobody's
 * configuration and are stored nowhere; whoever offers them vouches for them.
 */

import type { ChangeDescription } from "../../agent/extensions.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import type { AddonContext, AddonOpener, AddonPart } from "../part.ts";
import { toolServerBounds } from "./bounds.ts";
import type { ChangePoint } from "./change-points.ts";
import type { ServerManager } from "./manager.ts";
import type { SessionServers } from "./session-servers.ts";
import type { McpServers } from "./settings.ts";

/** One session, or all of a workspace (absolute, with symbolic links resolved). */
export type OfferedTo = { session: string } | { workspace: string };

const none: McpServers = {};

export class OfferedServers {
  readonly #version: string;
  /** The oldest offer first. */
  readonly #offers = new Map<string, McpServers>();

  /** `version`: ours, as servers are told. */
  constructor(version: string) {
    this.#version = version;
  }

  /** Replaces what was offered before; none withdraws it. Sessions that are open have them from their next step on. */
  offer(to: OfferedTo, servers: McpServers): void {
    const key = keyOf(to);
    this.#offers.delete(key);
    if (Object.keys(servers).length > 0) this.#offers.set(key, servers);
    const [oldest] = this.#offers.keys();
    if (oldest !== undefined && this.#offers.size > toolServerBounds.offers.most) this.#offers.delete(oldest);
  }

  /** A session's own offer goes before that to its workspace. */
  offered({ session, workspace }: Pick<AddonContext, "session" | "workspace">): McpServers {
    const [own, shared] = [this.#offers.get(keyOf({ session })), this.#offers.get(keyOf({ workspace }))];
    return own && shared ? { ...shared, ...own } : (own ?? shared ?? none);
  }

  /** Subagents use their parent's tools. */
  readonly open: AddonOpener = (context) =>
    context.parent === undefined
      ? partOf(context, { version: this.#version, offered: () => this.offered(context) })
      : undefined;
}

const keyOf = (to: OfferedTo): string => ("session" in to ? `session ${to.session}` : to.workspace);

type OfferToSession = { version: string; offered: () => McpServers };
type OpenedOffer = { of: string; manager: ServerManager; servers: SessionServers };

/** Loads nothing, and connects to nothing, until something is offered and the model is asked. */
function partOf(context: AddonContext, offer: OfferToSession): AddonPart {
  let opened: OpenedOffer | undefined;
  const close = async (): Promise<void> => {
    const { servers } = opened ?? {};
    opened = undefined;
    await servers?.close();
  };
  const refresh = async (): Promise<void> => {
    const servers = offer.offered();
    const of = JSON.stringify(servers);
    if (of === (opened?.of ?? "{}")) return;
    await close();
    if (of !== "{}") opened = { of, ...(await openOffer(context, servers, offer.version)) };
  };
  const atPoint = async (
    point: ChangePoint,
    { callId, files }: ChangeDescription,
    signal: AbortSignal,
  ): Promise<string[]> => {
    if (!opened) return [];
    const { askedAtPoint } = await import("./change-points.ts");
    const change = { change: callId, paths: files.map(({ path }) => path) };
    return askedAtPoint(opened.manager.servers(), point, change, signal);
  };
  return {
    tools: () => opened?.servers.tools() ?? [],
    async beforeAsk(state: SessionState, signal) {
      await refresh();
      return opened?.servers.beforeAsk(state, signal) ?? [];
    },
    // Always there: the answer that follows the first `beforeAsk` may change files already.
    async beforeChange(change, signal) {
      await atPoint("before-change", change, signal);
      return { facts: [] };
    },
    afterChange: async (change, signal) => ({
      facts: [],
      words: await atPoint("after-change", change, signal),
    }),
    close,
  };
}

async function openOffer(
  context: AddonContext,
  servers: McpServers,
  version: string,
): Promise<{ manager: ServerManager; servers: SessionServers }> {
  const { ServerManager: Manager, openSessionServers } = await import("./session-servers.ts");
  const { workspace, home, stateDir, environment, trust } = context;
  const manager = new Manager({
    workspace,
    user: servers,
    own: { servers: undefined, path: undefined },
    only: "user",
    home,
    stateDir,
    environment,
    variables: environment,
    version,
    trust,
  });
  return { manager, servers: await openSessionServers(manager, context) };
}
