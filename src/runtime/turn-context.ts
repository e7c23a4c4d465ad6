/** Builds what a turn may reach (its `TurnContext`) from the session's setup. */

import { homedir } from "node:os";
import { directoryWords, systemPrompt } from "../agent/prompt.ts";
import { smallSystemPrompt } from "../agent/small-way.ts";
import { defaultTurnLimits, type TurnLimits, type TurnContext } from "../agent/turn-context.ts";
import { sleep } from "../base/async.ts";
import type { GitPlace } from "../base/git-run.ts";
import { stateDirectory } from "../base/paths.ts";
import { childEnvironment } from "../base/process.ts";
import type { Branching } from "../configuration/options/option-choices.ts";
import type { Grant, Mode, Fact } from "../protocol/facts.ts";
import type { SessionState } from "../protocol/session-state.ts";
import { concernsSandbox } from "../safety/containment.ts";
import {
  evaluatePolicy,
  evaluateHeld,
  type Decision,
  type Policy,
  type Subject,
} from "../safety/evaluate-policy.ts";
import { deniedOutright } from "../safety/rules.ts";
import { currentBranch, startBranch } from "../session/git-branch.ts";
import { heldByTrust } from "../trust/held-files.ts";
import type { SessionAddons } from "./addons/session-addons.ts";
import { toolsOffered } from "./children/offer.ts";
import { containIn, type ContainSetup, sandboxState } from "./containing.ts";
import { noteProcesses } from "./noted-processes.ts";
import { defaultSensitive, grantsNow, policyFor, presenceIn, withHeld } from "./policy.ts";
import { withChosenHosts } from "./project-remotes.ts";
import type { SessionSetup } from "./session-setup.ts";

/** Resources that stay open as long as the session, and the signal that interrupts the turn. */
type OpenResources = Pick<
  TurnContext,
  "log" | "files" | "terminals" | "signal" | "withdrawing" | "substitute"
> &
  Pick<ContainSetup, "remembered" | "afterwards"> & { addons: SessionAddons };

export function turnContext(setup: SessionSetup, { addons, ...open }: OpenResources): TurnContext {
  const { log, files } = open;
  const delegate = log.state.parent ? undefined : setup.delegate;
  const offered = toolsOffered(delegate !== undefined);
  const { offers = () => true } = setup;
  const there = () => ({
    tools: [...tools, ...addons.tools()].filter(({ name }) => offers(name)),
    agents: addons.agents(),
  });
  const { model, tools, workspace, store, limits, rules, home = homedir() } = setup;
  const { session } = open.log.state;
  const environment = setup.environment ?? childEnvironment(process.env);
  return {
    ...open,
    model,
    // Read per step: work before the step may have made more tools available.
    get tools() {
      return offered(there());
    },
    extensions: addons.extensions(),
    delegate: delegate && ((callId) => delegate({ log, files, model, ...there() }, callId)),
    workspace,
    home,
    programs: setup.programs,
    ...systemOf(setup),
    limits: { ...defaultTurnLimits, ...inRounds(model.suits?.maxRounds), ...limits },
    completion: setup.completion ?? model.suits?.completion ?? "calls",
    interactive: () => presenceIn(setup.interactive, session) !== false,
    readyCommands: setup.readyCommands,
    beforeChange: branchKeeper(setup.gitBranch ?? "off", { workspace, env: environment }, open.log.state),
    environment,
    usualCheck: async () => {
      const { planChecks } = await import("../addons/checks/find.ts");
      const planned = planChecks(workspace, ".", "all");
      return planned.ok ? planned.value.command : undefined;
    },
    deniedOutright: (tool) => deniedOutright(rules, tool),
    evaluate: (subject, how) => decideHere(setup, open, { subject, ...how }),
    evaluateHeld: async (subject, paths, mode) => {
      const policy = await policyHere(setup, open, { subject, mode });
      const decision = evaluateHeld(subject, paths, policy);
      return log.state.parent ? forSubagent(decision) : decision;
    },
    ignored: async (paths) => {
      if (paths.length === 0) return new Set();
      const { gitReader } = await import("../session/workspace-record/git-reader.ts");
      return gitReader({ workspace, env: environment }).ignored(workspace, paths, open.signal);
    },
    evaluateReading: (mode) => readingHere(setup, open, mode),
    contain: (sandbox, how) =>
      noteProcesses(containIn({ ...setup, ...open }, sandbox, how), { store, session, keepOut: log.keepOut }),
    putBlob: (bytes) => store.putBlob(log.keptOutOf(bytes)),
    keepImage: (owner, bytes) => store.keepImage(session, owner, bytes),
    image: (hash) => store.image(session, hash),
    blob: (hash) => store.getBlob(hash),
    costOf: (by, usage) => setup.pricing?.(model.name, { by, usage, at: (setup.now ?? Date.now)() }),
    now: setup.now ?? Date.now,
    sleep: setup.sleep ?? sleep,
  };
}

const systemOf = ({
  workspace,
  model,
  system = {},
  role,
}: SessionSetup): Pick<TurnContext, "system" | "directory"> => ({
  system: [
    system.instead ?? (model.suits?.small === true ? smallSystemPrompt : systemPrompt),
    system.added,
    role,
  ]
    .filter((text) => text !== undefined)
    .join("\n\n"),
  directory: system.instead === undefined ? directoryWords(workspace, process.platform) : undefined,
});

const inRounds = (maxRounds: number | undefined): Partial<TurnLimits> =>
  maxRounds === undefined ? {} : { maxRounds };

async function decideHere(
  setup: SessionSetup,
  open: Pick<OpenResources, "log">,
  about: { subject: Subject; mode: Mode; answered?: boolean },
): Promise<Decision> {
  const policy = await policyHere(setup, open, about);
  const subject = await withChosenHosts(about.subject, { policy, setup, state: open.log.state });
  const decision = evaluatePolicy(subject, policy);
  return open.log.state.parent ? forSubagent(decision) : decision;
}

async function policyHere(
  setup: SessionSetup,
  { log }: Pick<OpenResources, "log">,
  { subject, mode, answered = false }: { subject: Subject; mode: Mode; answered?: boolean },
): Promise<Policy> {
  // Probing the sandbox takes many times as long as a read does, so skip it where it does not matter.
  const isUsed = mode !== "trusted" && concernsSandbox(subject);
  const sandbox = isUsed ? await sandboxState(setup) : { isOn: false };
  const interactive = answered || presenceIn(setup.interactive, log.state.session);
  const held = subject.does === "read" ? [] : heldByTrust(setup.stateDir ?? stateDirectory(process.env));
  const sensitive = withHeld(setup.sensitive ?? defaultSensitive, held, setup.workspace);
  const about = { ...setup, sensitive, sandbox, interactive };
  return { ...policyFor(about, mode, await grantedHere(setup, log)), answered };
}

async function readingHere(
  setup: SessionSetup,
  { log }: Pick<OpenResources, "log">,
  mode: Mode,
): Promise<(subject: Subject) => Decision> {
  const about = { ...setup, sandbox: { isOn: false }, interactive: true };
  const policy = policyFor(about, mode, await grantedHere(setup, log));
  return (subject) => evaluatePolicy(subject, policy);
}

async function grantedHere(setup: SessionSetup, log: OpenResources["log"]): Promise<Grant[]> {
  const kept = setup.projectGrants ? await setup.projectGrants.list() : [];
  return [...kept, ...(setup.granted?.() ?? []), ...grantsNow(log.state)];
}

/** Tells a subagent, which has no person to ask, to report the need to the session that delegated the task. */
function forSubagent(decision: Decision): Decision {
  if (!decision.trace.some(({ layer }) => layer === "no person")) return decision;
  const because = `${decision.because}. Leave it to whoever gave you this task: say in your report what has to be done`;
  return { ...decision, because };
}

/** Call before each change; only the first call of a step does any work. */
function branchKeeper(branching: Branching, place: GitPlace, state: SessionState): () => Promise<Fact[]> {
  let asked: Promise<Fact[]> | undefined;
  return async () => {
    if (asked) return asked.then(() => []);
    asked = branchFacts(branching, place, state);
    return asked;
  };
}

async function branchFacts(branching: Branching, place: GitPlace, state: SessionState): Promise<Fact[]> {
  if (state.branch) return elsewhere(state.branch.name, place, state);
  if (branching === "off" || state.warned.has(noBranch)) return [];
  const started = await startBranch(place, state);
  if (!started) return [];
  if (started.ok) return [started.value];
  const text = `The session has no branch of its own: ${started.problem}. Its changes are made where you are.`;
  return [{ type: "warning", code: noBranch, text }];
}

/** A person who checked out another branch meant it: warn once, never switch back. */
async function elsewhere(name: string, place: GitPlace, { warned }: SessionState): Promise<Fact[]> {
  if (warned.has(otherBranch)) return [];
  const now = await currentBranch(place);
  if (now === name) return [];
  const where = now === undefined ? "no branch is checked out" : `${now} is checked out`;
  const text = `This session worked on the branch ${name}, but ${where} now: changes are made there. \`git switch ${name}\` goes back.`;
  return [{ type: "warning", code: otherBranch, text }];
}

const noBranch = "no-branch";
const otherBranch = "other-branch";
