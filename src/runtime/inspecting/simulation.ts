/** Decides stored calls again under another rule set. Nothing is run or looked up. */

import { posix } from "node:path";
import { everyTool } from "../../configuration/addon-tools.ts";
import type { Entry, FactOf, Grant, Mode, Verdict } from "../../protocol/facts.ts";
import { step } from "../../protocol/fold.ts";
import { isSameGrant } from "../../protocol/same-grant.ts";
import { type CallState, emptyState, type SessionState } from "../../protocol/session-state.ts";
import { evaluatePolicy, type Subject } from "../../safety/evaluate-policy.ts";
import { judgeCommand } from "../../safety/judge.ts";
import type { RuleLevel } from "../../safety/rules.ts";
import type { SensitiveFiles } from "../../safety/sensitive-files.ts";
import { findTool } from "../../tools/index.ts";
import { policyFor, type PolicySetup } from "../policy.ts";
import type { CommandLocation } from "./judged-command.ts";

/** A rule set to replay past calls with. The layer "workspace" applies only to calls of that workspace. */
export type RuleSet = { rules: readonly RuleLevel[]; sensitive: SensitiveFiles; workspace: string };

export type DecisionOutcome = "allowed" | "asked" | "denied";
export type OutcomeCounts = Record<DecisionOutcome, number>;

/** A past call that was valid then and still is. */
export type RecordedCall = {
  session: string;
  seq: number;
  /** "Run npm test", as shown to people. */
  title: string;
  subject: Subject;
  mode: Mode;
  workspace: string;
  /** The decision at the time. */
  recorded: { outcome: DecisionOutcome; because: string };
  turn: number;
  answered: FactOf<"approval-answered"> | undefined;
  /** The fact by which a person took the answer back. */
  revokedAt: number | undefined;
};

/** The call decided on, when, and in which mode; `known` is filled in until the call is over. */
type DecisionPoint = {
  known: Readonly<CallState>;
  mode: Mode;
  seq: number;
  covers?: Grant | undefined;
  revokedAt?: number;
};

type SimulationMachine = Pick<CommandLocation, "home" | "own">;

/**
 * The calls of a session that were decided on. Excludes calls that were never valid, and those of tools that no longer
 * exist.
 */
export function pastCalls(entries: readonly Entry[], here: SimulationMachine): RecordedCall[] {
  const past = new PastCalls(here);
  for (const entry of entries) past.add(entry);
  return past.found();
}

/** The same, fed entry by entry: a session state retains little of calls from finished turns. */
export class PastCalls {
  readonly #here: SimulationMachine;
  readonly #state = emptyState();
  readonly #decided = new Map<string, DecisionPoint>();

  constructor(here: SimulationMachine) {
    this.#here = here;
  }

  add(entry: Entry): void {
    const state = step(this.#state, entry);
    if (entry.type === "decision") {
      const known = state.calls.get(entry.callId);
      // A command edited by a person is not the model's call; one that has begun is decided on by what it changed.
      if (known && known.start === undefined && known.answered?.command === undefined)
        this.#decided.set(entry.callId, { known: { ...known }, mode: state.mode, seq: entry.seq });
    } else if (entry.type === "approval-answered" && entry.command === undefined) {
      const decided = this.#decided.get(entry.callId);
      const { answered, asked } = state.calls.get(entry.callId) ?? {};
      if (!decided || !answered) return;
      decided.known = { ...decided.known, answered };
      decided.covers = asked?.covers;
    } else if (entry.type === "grant-revoked") this.#revoke(entry);
  }

  #revoke({ covers, seq }: FactOf<"grant-revoked"> & { seq: number }): void {
    for (const decided of this.#decided.values())
      if (decided.covers && isSameGrant(decided.covers, covers)) decided.revokedAt ??= seq;
  }

  found(): RecordedCall[] {
    return [...this.#decided.values()].flatMap((decided) => pastCall(this.#state, decided, this.#here) ?? []);
  }
}

function pastCall(
  { workspace, session }: SessionState,
  { known, mode, seq, revokedAt }: DecisionPoint,
  here: SimulationMachine,
): RecordedCall | undefined {
  if (!known.decision) return undefined;
  const understood = subjectOfPast(known.call.name, known.call.input, { workspace, ...here });
  if (!understood) return undefined;
  const guessed = known.call.repairs?.some(({ guess }) => guess === true) === true;
  const { title, subject } = understood;
  return {
    session,
    seq,
    title,
    subject: { ...subject, ...(guessed ? { guessed } : {}), ...reachedThen(known.decision) },
    mode,
    workspace,
    recorded: { outcome: outcomeThen(known.decision), because: known.decision.because },
    turn: known.turn,
    answered: known.answered,
    revokedAt,
  };
}

/** Where the project's remotes led then is known from what the command was given: git is given hosts for nothing else. */
function reachedThen({ sandbox }: FactOf<"decision">): Pick<Subject, "reaches"> {
  const hosts = sandbox?.isOn && sandbox.profile === "git" ? sandbox.outside : undefined;
  return hosts ? { reaches: { profile: "git", hosts } } : {};
}

/** Uses paths as written: whether any was a symlink then is unknown now. */
function subjectOfPast(
  name: string,
  input: Parameters<(typeof everyTool)[number]["prepare"]>[0],
  { workspace, ...here }: SimulationMachine & { workspace: string },
): { title: string; subject: Subject } | undefined {
  const tool = findTool(everyTool, name);
  const prepared = tool.ok ? tool.value.prepare(input) : undefined;
  if (!tool.ok || !prepared?.ok) return undefined;
  const { title, command, hosts } = prepared.value;
  const paths = prepared.value.paths.map((path) => placeIn(workspace, path));
  const { name: known, does } = tool.value;
  if (command === undefined) return { title, subject: { tool: known, does, paths, hosts } };
  const [first = "."] = paths;
  const below = first.startsWith("/") ? "." : first; // A30: clamped
  const directory = below === "." ? {} : { directory: below };
  const around = { ...here, workspace, directory: posix.join(workspace, below) };
  return {
    title,
    subject: { tool: known, does, paths, command, ...directory, judgement: judgeCommand(command, around) },
  };
}

function placeIn(workspace: string, path: string): string {
  const absolute = posix.resolve(workspace, path);
  const relative = posix.relative(workspace, absolute);
  return relative.startsWith("..") ? absolute : relative || ".";
}

/** A question counts as one even if no person was there to answer it. */
function outcomeThen({ verdict, trace }: FactOf<"decision">): DecisionOutcome {
  if (trace.some(({ layer }) => layer === "no person")) return "asked";
  return outcomeOf(verdict);
}

function outcomeOf(verdict: Verdict): DecisionOutcome {
  if (verdict === "allow") return "allowed";
  return verdict === "deny" ? "denied" : "asked";
}

export type ReplayedCall = {
  call: RecordedCall;
  outcome: DecisionOutcome;
  because: string;
  covers: Grant | undefined;
};

/** Decides all calls again, in order, including what a person's wider approvals would have allowed meanwhile. */
export function replay(
  calls: readonly RecordedCall[],
  set: RuleSet,
  setup: Pick<PolicySetup, "home" | "sandbox">,
): ReplayedCall[] {
  const given: { covers: Grant; call: RecordedCall }[] = [];
  return calls.map((call) => {
    const { workspace, mode, answered } = call;
    const grants = given.filter((grant) => holds(grant.call, call)).map(({ covers }) => covers);
    const rules = set.rules.filter(({ name }) => name !== "workspace" || workspace === set.workspace);
    const { sensitive } = set;
    const policy = policyFor({ ...setup, workspace, rules, sensitive, interactive: true }, mode, grants);
    const { verdict, because, offer } = evaluatePolicy(call.subject, policy);
    const scope = answered?.answer === "allow" ? answered.scope : "once";
    if (offer?.covers && scope !== "once" && offer.scopes.includes(scope))
      given.push({ covers: offer.covers, call });
    return { call, outcome: outcomeOf(verdict), because, covers: offer?.covers };
  });
}

function holds(given: RecordedCall, call: RecordedCall): boolean {
  const scope = given.answered?.scope;
  if (scope === "project") return given.workspace === call.workspace;
  if (given.revokedAt !== undefined && given.revokedAt < call.seq) return false;
  return given.session === call.session && (scope === "session" || given.turn === call.turn);
}

export function countOutcomes(outcomes: readonly DecisionOutcome[]): OutcomeCounts {
  const counts: OutcomeCounts = { allowed: 0, asked: 0, denied: 0 };
  for (const outcome of outcomes) counts[outcome] += 1;
  return counts;
}
