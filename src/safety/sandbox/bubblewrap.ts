/** One command in bubblewrap: checked, planned, limited, and looked after when it has ended. */
import type { Parsed } from "../../base/json.ts";
import { cacheFor } from "./cache-directory.ts";
import { environmentFor } from "./environment.ts";
import { type Guard, guardWorkspace } from "./guard.ts";
import { openGateway, type Gateway } from "./gateway.ts";
import { unrunHooks } from "./hooks.ts";
import { removeLeftovers } from "./leftovers.ts";
import { type Limits, limited, type ProcessLetter } from "./limits.ts";
import { bubblewrapCommand } from "./mounts.ts";
import { planMounts } from "./plan.ts";
import { type Checked, checkRequest, type ContainRequest } from "./request.ts";
import type { Contained } from "./contained.ts";
import { type Watch, watchOver } from "./watch.ts";
import { indexWorkspace, type WorkspaceIndex } from "./workspace-index.ts";

export type BubblewrapFacts = {
  program: string;
  limits: Limits;
  letter: ProcessLetter;
  filter?: Uint8Array;
};

/** What is kept between commands. */
export type BubblewrapState = {
  indexes: Map<string, WorkspaceIndex>;
  /** State directories in which we have cleaned up. */
  cleaned: Set<string>;
};

export const readyState = (): BubblewrapState => ({ indexes: new Map(), cleaned: new Set() });

export async function containInBubblewrap(
  request: ContainRequest,
  facts: BubblewrapFacts,
  state: BubblewrapState,
): Promise<Parsed<Contained>> {
  const checked = checkRequest(request);
  if (!checked.ok) return checked;
  try {
    return await contain(checked.value, facts, state);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      problem: `The command was not run, because its sandbox could not be prepared: ${words}`,
    };
  }
}

async function contain(
  request: Checked,
  facts: BubblewrapFacts,
  state: BubblewrapState,
): Promise<Parsed<Contained>> {
  cleanUp(request.stateDir, state);
  const cache = cacheFor(request);
  const index = indexFor(request.workspace, state);
  const found = index.look();
  const plan = planMounts(request, {
    found,
    temporaryBytes: Math.floor(facts.limits.memoryBytes / 2),
    ...(cache ? { cache } : {}),
  });
  if (!plan.ok) return plan;
  const guard = guardWorkspace(request, { found, index, git: plan.value.git });
  const gateway = request.profile === "install" ? await openGateway(request) : undefined;
  const watch = watchOver(facts.limits);
  const { profile, directory } = request;
  const command = gateway ? gateway.behind(request.command) : request.command;
  const built = bubblewrapCommand({
    program: facts.program,
    mounts: [...plan.value.mounts, ...(gateway?.mounts ?? [])],
    network: profile === "open",
    asRoot: profile === "open" && process.getuid?.() === 0,
    directory,
    ...(facts.filter ? { filter: facts.filter } : {}),
    command: limited(command, facts.limits, facts.letter),
  });
  const env = environmentFor(request, cache ?? "/tmp/.cache");
  return {
    ok: true,
    value: {
      command: built.command,
      feeds: built.feeds,
      env: gateway ? gateway.variables(env) : env,
      onStart: (pid) => watch.start(pid),
      finished: once(async () => [
        ...(await finish(guard, watch, gateway)),
        ...(profile === "git" ? unrunHooks(request.workspace, request.command.at(-1) ?? "") : []),
      ]),
    },
  };
}

async function finish(guard: Guard, watch: Watch, gateway: Gateway | undefined): Promise<string[]> {
  const warnings = watch.end();
  const ofGateway = gateway ? await gateway.close() : [];
  return [...warnings, ...ofGateway, ...guard.check()];
}

/** However often it is asked, the same answer. */
function once(work: () => Promise<string[]>): () => Promise<string[]> {
  let result: Promise<string[]> | undefined;
  return () => (result ??= work());
}

function cleanUp(stateDir: string, { cleaned }: BubblewrapState): void {
  if (cleaned.has(stateDir)) return;
  cleaned.add(stateDir);
  removeLeftovers(stateDir);
}

function indexFor(workspace: string, { indexes }: BubblewrapState): WorkspaceIndex {
  const index = indexes.get(workspace) ?? indexWorkspace(workspace);
  indexes.set(workspace, index);
  return index;
}
