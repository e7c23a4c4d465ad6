/** What a turn of a session may reach, from what the session runs with. */
import { homedir } from "node:os";
import { systemPrompt } from "../agent/prompt.ts";
import { defaultLimits, type Limits, type TurnRoom } from "../agent/room.ts";
import { sleep } from "../base/async.ts";
import { childEnvironment } from "../base/process.ts";
import type { Mode } from "../protocol/facts.ts";
import { decide, type Decision, type Subject } from "../safety/decide.ts";
import { deniedOutright } from "../safety/rules.ts";
import { branchKeeper } from "./branching.ts";
import { containIn, type ContainSetup, sandboxState } from "./containing.ts";
import { noted } from "./noted-processes.ts";
import { grantsNow, isPresent, policyFor } from "./policy.ts";
import type { SessionSetup } from "./session-setup.ts";

/** What is open as long as the session is, and what interrupts the turn. */
type Open = Pick<TurnRoom, "log" | "files" | "terminals" | "signal" | "withdrawing"> &
  Pick<ContainSetup, "remembered">;

export function turnRoom(setup: SessionSetup, open: Open): TurnRoom {
  const { model, tools, workspace, store, limits, rules, home = homedir() } = setup;
  const { session } = open.log.state;
  const environment = setup.environment ?? childEnvironment(process.env);
  return {
    ...open,
    model,
    tools,
    workspace,
    home,
    system: systemPrompt(workspace, process.platform),
    limits: { ...defaultLimits, ...inRounds(model.suits?.maxRounds), ...limits },
    completion: setup.completion ?? model.suits?.completion ?? "calls",
    interactive: () => isPresent(setup.interactive, session),
    beforeChange: branchKeeper(setup.gitBranch ?? "off", { workspace, env: environment }, open.log.state),
    environment,
    deniedOutright: (tool) => deniedOutright(rules, tool),
    decide: (subject, how) => decideHere(setup, open, { subject, ...how }),
    contain: (sandbox, how) => noted(containIn({ ...setup, ...open }, sandbox, how), { store, session }),
    putBlob: (bytes) => store.putBlob(bytes),
    keepImage: (owner, bytes) => store.keepImage(session, owner, bytes),
    image: (hash) => store.image(session, hash),
    blob: (hash) => store.getBlob(hash),
    costOf: (by, usage) => setup.pricing?.(model.name, { by, usage, at: (setup.now ?? Date.now)() }),
    now: setup.now ?? Date.now,
    sleep: setup.sleep ?? sleep,
  };
}

const inRounds = (maxRounds: number | undefined): Partial<Limits> =>
  maxRounds === undefined ? {} : { maxRounds };

async function decideHere(
  setup: SessionSetup,
  { log }: Open,
  { subject, mode, answered = false }: { subject: Subject; mode: Mode; answered?: boolean },
): Promise<Decision> {
  const kept = setup.projectGrants?.list() ?? [];
  const sandbox = await sandboxState(setup);
  const interactive = answered || isPresent(setup.interactive, log.state.session);
  const policy = policyFor({ ...setup, sandbox, interactive }, mode, [...kept, ...grantsNow(log.state)]);
  return decide(subject, policy);
}
