/**
 * Tool servers that the program at the other end lends to its sessions: an editor's own powers. They are nobody's
 * configuration and are stored nowhere; they run as the person's own, for whom the program speaks.
 */

import { posix } from "node:path";
import type { ChangeDescription } from "../../agent/extensions.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import type { AddonContext, AddonOpener, AddonPart } from "../part.ts";
import { mostLent } from "./bounds.ts";
import type { ChangePoint, PointAnswer } from "./change-points.ts";
import type { ServerManager } from "./manager.ts";
import type { SessionServers } from "./session-servers.ts";
import type { McpServers } from "./settings.ts";

/** One session, or all of a workspace (absolute, with symbolic links resolved). */
type LentTo = { session: string } | { workspace: string };

const none: McpServers = {};
/** Files that the model has seen of late, which a change elsewhere may break. */
const mostSeen = 12;

export class LentServers {
  readonly #version: string;
  /** What was lent longest ago first. */
  readonly #lent = new Map<string, McpServers>();

  /** `version`: ours, as servers are told. */
  constructor(version: string) {
    this.#version = version;
  }

  /** In place of what was lent before; none takes that back. Sessions that are open have them from their next step on. */
  lend(to: LentTo, servers: McpServers): void {
    const key = keyOf(to);
    this.#lent.delete(key);
    if (Object.keys(servers).length > 0) this.#lent.set(key, servers);
    const [oldest] = this.#lent.keys();
    if (oldest !== undefined && this.#lent.size > mostLent) this.#lent.delete(oldest);
  }

  /** What is lent to a session goes before what is lent to its workspace. */
  lentTo({ session, workspace }: Pick<AddonContext, "session" | "workspace">): McpServers {
    const [own, shared] = [this.#lent.get(keyOf({ session })), this.#lent.get(keyOf({ workspace }))];
    return own && shared ? { ...shared, ...own } : (own ?? shared ?? none);
  }

  /** Subagents use their parent's tools. */
  readonly open: AddonOpener = (context) =>
    context.parent === undefined
      ? partOf(context, { version: this.#version, lent: () => this.lentTo(context) })
      : undefined;
}

const keyOf = (to: LentTo): string => ("session" in to ? `session ${to.session}` : to.workspace);

type Lending = { version: string; lent: () => McpServers };
type OpenedServers = { of: string; manager: ServerManager; servers: SessionServers };
const nothingSaid: PointAnswer = { words: [], checked: [] };

/** Loads nothing, and connects to nothing, until something is lent and the model is asked. */
function partOf(context: AddonContext, lending: Lending): AddonPart {
  let opened: OpenedServers | undefined;
  let seen: readonly string[] = [];
  const kinds = new CheckedKinds();
  const close = async (): Promise<void> => {
    const { servers } = opened ?? {};
    opened = undefined;
    await servers?.close();
  };
  const refresh = async (): Promise<void> => {
    const servers = lending.lent();
    const of = JSON.stringify(servers);
    if (of === (opened?.of ?? "{}")) return;
    await close();
    if (of !== "{}") opened = { of, ...(await openLent(context, servers, lending.version)) };
  };
  const atPoint = async (
    point: ChangePoint,
    { callId, files }: ChangeDescription,
    signal: AbortSignal,
  ): Promise<PointAnswer> => {
    if (!opened) return nothingSaid;
    const { askedAtPoint } = await import("./change-points.ts");
    const paths = files.map(({ path }) => path);
    const others = seen.filter((path) => !paths.includes(path)).slice(-mostSeen);
    const change = { change: callId, paths, seen: others };
    return askedAtPoint(opened.manager.servers(), point, change, signal);
  };
  return {
    tools: () => opened?.servers.tools() ?? [],
    checks: (path) => opened !== undefined && opened.servers.areAskedAfterChange() && kinds.has(path),
    async beforeAsk(state: SessionState, signal) {
      await refresh();
      seen = [...state.seen.keys()];
      return opened?.servers.beforeAsk(state, signal) ?? [];
    },
    onlyLooks: () => opened === undefined,
    // Always there: the answer that follows the first `beforeAsk` may change files already.
    async beforeChange(change, signal) {
      await atPoint("before-change", change, signal);
      return { facts: [] };
    },
    async afterChange(change, signal) {
      const { words, checked } = await atPoint("after-change", change, signal);
      kinds.learn(
        change.files.flatMap(({ path, after }) => (after === null ? [] : [path])),
        checked,
      );
      return { facts: [], words };
    },
    close,
  };
}

/** The kinds of files that the editor checks, as its last answers show: all, until one shows otherwise. */
class CheckedKinds {
  readonly #unchecked = new Set<string>();

  has(path: string): boolean {
    return !this.#unchecked.has(kindOf(path));
  }

  learn(asked: readonly string[], checked: readonly string[]): void {
    for (const path of asked) this.#unchecked.add(kindOf(path));
    for (const path of checked) this.#unchecked.delete(kindOf(path));
  }
}

const kindOf = (path: string): string => posix.extname(path) || posix.basename(path);

async function openLent(
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
    areLent: true,
    home,
    stateDir,
    environment,
    variables: environment,
    version,
    trust,
  });
  return { manager, servers: await openSessionServers(manager, context) };
}
