/** Whether a call may run: every layer gives a verdict, the strictest wins, and the trace records them all. */

import { withoutUndefined } from "../base/without-undefined.ts";
import type { Profile, Risk, SandboxRecord, Verdict } from "../protocol/facts.ts";
import { freelyReached, hostsRead, reader } from "./chosen-hosts.ts";
import { outsideOf, withSandbox, layersOfCommand } from "./command-layers.ts";
import {
  asGiven,
  containmentOf,
  undoCoverage,
  isContaining,
  sandboxFor,
  trialProfile,
  whyNotStaged,
} from "./containment.ts";
import { isGranted, offerFor, onlyOnce, type Offer, type AnalyzedCall } from "./grants.ts";
import { type LayerWord, type LayerWords, present, strictestOf } from "./lattice.ts";
import { mayMeet, relativeTo } from "./path-pattern.ts";
import { protectedFromCommand, protectedPlace } from "./places.ts";
import { repositoryProblem } from "./repository-places.ts";
import { wordsOfRules } from "./rules.ts";
import type { Policy, Subject } from "./subject.ts";

export type { Policy, SandboxState, Subject } from "./subject.ts";

export type Decision = {
  verdict: Verdict;
  because: string;
  risk: Risk;
  trace: LayerWord[];
  /** For commands and typed text: the sandbox profile it runs in once it is allowed, whether that is on, and if not, why. */
  sandbox?: SandboxRecord;
  /** For a question: the possible answers. */
  offer?: Offer;
};

/**
 * Combines the layers (`LayerWords` says what overrides which): a final denial, the strictest word, an earlier approval
 * of it, a trial instead of a question, what the mode or nobody's being there makes of a question. The mode `trusted`
 * leaves out the layers that are not a person's own.
 */
export function evaluatePolicy(described: Subject, given: Policy): Decision {
  const subject = withFreeHosts(asGiven(described), given);
  const policy = { ...given, sandbox: sandboxFor(subject, given.around, given.sandbox) };
  const use = useOf(subject, policy);
  const risk = riskOf(subject);
  const trial = trialOf(subject, policy);
  const words = layersOf(use, policy, trial !== undefined);
  const layers = [...words.final, ...words.rules, ...words.firm, ...words.sensitive, ...words.usual];
  const isRun = subject.command !== undefined || subject.runsIn !== undefined;
  const about = { risk, trace: layers, sandbox: isRun ? sandboxRecord(use, policy) : undefined };
  const denial = words.final.find(({ verdict }) => verdict === "deny");
  if (denial) return { verdict: "deny", because: denial.because, ...about };

  const { stated, isFirm } = strictestWord(words);
  const approval = isFirm || !asks(stated) ? undefined : earlierApproval(use, words, policy);
  const approved = approval ?? stated;
  if (trial !== undefined && !isFirm && (asks(approved) || isPlanned(subject, policy))) {
    const sandbox: SandboxRecord = { profile: trial, isOn: true, undo: "workspace", trial: true };
    const trace = present(...layers, approval, tried);
    return { verdict: "allow", because: tried.because, risk, trace, sandbox };
  }
  const refusal = refusalOf(approved, use, policy);
  const last = refusal ?? approved;
  const decided = { verdict: last.verdict, ...about, trace: present(...layers, approval, refusal) };
  if (!asks(last)) return { ...decided, because: last.because };
  const offer = isFirm ? onlyOnce : offerFor(use, risk);
  return { ...decided, because: withSandbox(last, use, policy), offer };
}

const asks = ({ verdict }: LayerWord): boolean => verdict === "ask" || verdict === "ask-always";

/** An allowing rule is in the place of the usual words; any other is as firm as the layer of that name. */
function strictestWord(words: LayerWords): { stated: LayerWord; isFirm: boolean } {
  const ruled = strictestOf(words.rules);
  const isAllowed = ruled?.verdict === "allow";
  const firm = strictestOf([...words.firm, isAllowed ? undefined : ruled]);
  const open = strictestOf([...words.sensitive, ...(isAllowed ? [ruled] : words.usual)]);
  return { stated: strictestOf([firm, open]) ?? nothingSaid, isFirm: firm !== undefined };
}

/** B13: without a person who is there to ask, a valid token counts as the approval, except for sensitive files. */
function earlierApproval(use: AnalyzedCall, words: LayerWords, policy: Policy): LayerWord | undefined {
  if (isGranted(use, policy.grants)) return granted;
  const { interactive, mode } = policy;
  const isByToken =
    use.subject.applies && interactive !== true && mode !== "deny" && words.sensitive.length === 0;
  return isByToken ? appliedByToken : undefined;
}

function refusalOf(word: LayerWord, use: AnalyzedCall, policy: Policy): LayerWord | undefined {
  if (isPlanned(use.subject, policy)) return planned;
  if (!asks(word)) return undefined;
  if (policy.mode === "deny") return { layer: "mode deny", verdict: "deny", because: denyMode };
  if (policy.interactive) return undefined;
  const because = `${withSandbox(word, use, policy)}, and there is nobody to ask`;
  return { layer: "no person", verdict: "deny", because };
}

/** What may be read with the tool that reads addresses may be read by a command, if it does nothing else there. */
function withFreeHosts(subject: Subject, policy: Policy): Subject {
  const { mode } = policy;
  const hosts = subject.reaches ? undefined : hostsRead(subject, policy);
  const mayRead = (host: string): boolean =>
    evaluatePolicy({ tool: reader, does: "read", paths: [], hosts: [host] }, policy).verdict === "allow";
  const reaches = hosts && freelyReached(hosts, { mode, mayRead });
  return reaches ? { ...subject, reaches } : subject;
}

/** Registries are told what is asked for, and can be sent more: nothing is, where nobody agrees to anything. */
function trialOf(subject: Subject, { mode, around, sandbox, answered }: Policy): Profile | undefined {
  const profile = mode === "trusted" || answered ? undefined : trialProfile(subject, around, sandbox);
  return profile === "install" && (mode === "plan" || mode === "deny") ? undefined : profile;
}

/**
 * Decides on what a command changed that ran before anybody had agreed: as on a change by a tool, but that an approval
 * covers what approvals of commands cover.
 */
export function evaluateHeld(subject: Subject, paths: readonly string[], policy: Policy): Decision {
  const { tool, definition, readOnly, copies } = subject;
  const known = withoutUndefined({ definition, readOnly, copies });
  const made: Subject = { tool, does: "change", paths, ofCommand: true, ...known };
  const decision = evaluatePolicy(made, policy);
  if (decision.offer === undefined) return decision;
  const profile = trialProfile(subject, policy.around, policy.sandbox) ?? "build";
  const { around } = policy;
  const sensitive = [...sensitiveIn(made, policy), ...(readOnly ?? [])];
  const use: AnalyzedCall = { subject, containment: { profile, isContained: true }, around, sensitive };
  if (isGranted(use, policy.grants)) {
    return { ...decision, verdict: "allow", because: granted.because, trace: [...decision.trace, granted] };
  }
  return { ...decision, offer: offerFor(use, decision.risk) };
}

function sandboxRecord({ containment, subject }: AnalyzedCall, { sandbox }: Policy): SandboxRecord {
  const { profile } = containment;
  const undo = undoCoverage(subject, containment, sandbox);
  if (subject.runsIn) return { ...subject.runsIn, ...withoutUndefined({ undo }) };
  const isOn = sandbox.isOn && subject.judgement?.uncontainable === undefined;
  const isBeyond = !isOn && (sandbox.isOn || sandbox.beyond);
  const given = subject.outside ?? subject.reaches?.hosts;
  return withoutUndefined({
    profile,
    isOn,
    because: subject.judgement?.uncontainable ?? sandbox.because,
    beyond: isBeyond ? true : undefined,
    undo,
    outside: isOn && profile !== "open" && given ? [...given] : undefined,
  });
}

const denyMode = "the mode is deny: nothing that would need a question is done";
const nothingSaid: LayerWord = { layer: "none", verdict: "ask", because: "no layer says that it may run" };

function layersOf(use: AnalyzedCall, policy: Policy, canBeTried: boolean): LayerWords {
  const { subject } = use;
  const { workspace, home } = policy.around;
  const command = subject.command === undefined ? undefined : layersOfCommand(use, policy);
  const reader = withoutUndefined({ reader: policy.reader });
  const rules = wordsOfRules(policy.rules, { ...subject, ...reader, workspace, home });
  if (policy.mode === "trusted") {
    const place = subject.does === "change" ? placeWord(subject, workspace) : undefined;
    const lost = deletesHome(use) ? (command?.final ?? []) : [];
    return {
      final: present(place, stageWord(use, policy), reachWord(subject), ...lost),
      rules,
      firm: present(watchedWord(subject), eachTimeWord(subject)),
      sensitive: [],
      usual: [trusted],
    };
  }
  return {
    final: present(
      planWord(subject, policy, canBeTried),
      placeWord(subject, workspace),
      stageWord(use, policy),
      reachWord(subject),
      ...(command?.final ?? []),
    ),
    rules,
    firm: present(
      guessWord(subject),
      repeatedWord(subject),
      watchedWord(subject),
      eachTimeWord(subject),
      ...(command?.firm ?? []),
    ),
    sensitive: present(sensitiveWord(use), readOnlyWord(subject)),
    usual: command?.usual ?? [modeWord(subject, policy)],
  };
}

const trusted: LayerWord = {
  layer: "mode trusted",
  verdict: "allow",
  because: "the mode is trusted: only rules and hooks object",
};

/** The one loss that no task means: a whole home directory, or everything. */
const deletesHome = ({ subject: { judgement }, around }: AnalyzedCall): boolean =>
  (judgement?.touched ?? []).some(
    ({ path, access }) => access === "delete" && mayMeet(path, around.home, { deep: true }),
  );

function useOf(subject: Subject, policy: Policy): AnalyzedCall {
  const { around, sandbox } = policy;
  const containment = containmentOf(subject, around, sandbox.isOn);
  const sensitive = [...new Set([...sensitiveIn(subject, policy), ...(subject.readOnly ?? [])])];
  const hosts = hostsRead(subject, policy);
  return { subject, containment, around, sensitive, hosts };
}

/** The files that need a separate approval: sensitive ones that the call changes, and secrets that a tool reads. */
function sensitiveIn(
  { does, paths, judgement, copies = [] }: Subject,
  { sensitive, around }: Policy,
): string[] {
  const isAsked = (path: string): boolean => {
    const { edit, holds } = sensitive(path) ?? {};
    return edit === "ask" && !(holds === "secret" && copies.includes(path));
  };
  if (does === "change") return paths.filter(isAsked);
  if (does === "read") return paths.filter((path) => sensitive(path)?.holds === "secret");
  const changed = (judgement?.touched ?? []).filter(({ access }) => access !== "read");
  return [...new Set(changed.map(({ path }) => relativeTo(around.workspace, path)))].filter(isAsked);
}

function riskOf(subject: Subject): Risk {
  if (isQuietRead(subject)) return "none";
  if (subject.command === undefined) return "medium";
  return subject.judgement?.severity ?? "high";
}

/** The call only reads, and reaches no other host. */
const isQuietRead = ({ does, hosts = [] }: Subject): boolean => does === "read" && hosts.length === 0;

/** What a plan may not do: unless it can be tried, it is denied. */
const isPlanned = (subject: Subject, { mode }: Policy): boolean =>
  mode === "plan" && subject.does !== "read" && !subject.delegates && !onlyLooks(subject);

const onlyLooks = ({ judgement, lasting }: Subject): boolean => judgement?.onlyReads === true && !lasting;

function planWord(subject: Subject, policy: Policy, canBeTried: boolean): LayerWord | undefined {
  if (isPlanned(subject, policy)) return canBeTried ? undefined : planned;
  if (policy.mode !== "plan" || !onlyLooks(subject)) return undefined;
  return { layer: "plan mode", verdict: "allow", because: "it only reads" };
}

const planned: LayerWord = {
  layer: "plan mode",
  verdict: "deny",
  because: "the mode is plan: files are read, nothing is changed or run",
};

const granted: LayerWord = { layer: "grant", verdict: "allow", because: "a person allowed this earlier" };

const appliedByToken: LayerWord = {
  layer: "token",
  verdict: "allow",
  because: "it was staged and shown, and is applied by its token",
};

const tried: LayerWord = {
  layer: "trial",
  verdict: "allow",
  because: "it runs contained, and what it changes is decided on afterwards",
};

/** Protected places (C2): changes by tools, and commands that certainly write there. */
function placeWord(subject: Subject, workspace: string): LayerWord | undefined {
  const isChange = subject.does === "change";
  const places = isChange
    ? subject.paths.map((path) => protectedPlace(path, subject.ofCommand))
    : (subject.judgement?.touched ?? []).map((each) => protectedFromCommand(each, workspace));
  const place = places.find((found) => found !== undefined);
  const because =
    place === undefined
      ? isChange && repositoryProblem(subject.paths, workspace)
      : `${place} is protected and never changed by a tool`;
  return because ? { layer: "protected places", verdict: "deny", because } : undefined;
}

/** A call whose arguments were repaired by a guess may only read without an approval. */
function guessWord(subject: Subject): LayerWord | undefined {
  if (subject.guessed !== true || isQuietRead(subject)) return undefined;
  return {
    layer: "repaired call",
    verdict: "ask",
    because: "its damaged arguments were repaired by a guess",
  };
}

/** What a file or a page says is no order; a repeated read does no harm. */
function repeatedWord(subject: Subject): LayerWord | undefined {
  if (subject.repeats === undefined || isQuietRead(subject)) return undefined;
  const because = `this call stands word for word in ${subject.repeats}: it may be repeated text and not an order`;
  return { layer: "repeated call", verdict: "ask", because };
}

function watchedWord({ watched }: Subject): LayerWord | undefined {
  return watched === undefined ? undefined : { layer: "hook", verdict: "ask", because: watched };
}

function eachTimeWord({ askedEachTime: because }: Subject): LayerWord | undefined {
  return because === undefined ? undefined : { layer: "tool", verdict: "ask", because };
}

function sensitiveWord(use: AnalyzedCall): LayerWord | undefined {
  const { subject } = use;
  const sensitive = use.sensitive.filter((path) => !subject.readOnly?.includes(path));
  if (sensitive.length === 0) return undefined;
  const isOne = sensitive.length === 1;
  const what =
    subject.does === "read"
      ? "may hold secrets"
      : `${isOne ? "is a sensitive file" : "are sensitive files"}, changed only with a yes of ${isOne ? "its" : "their"} own`;
  return { layer: "sensitive files", verdict: "ask", because: `${sensitive.join(", ")} ${what}` };
}

/** Replacing a file bypasses its read-only permission, which somebody may have set on purpose. */
function readOnlyWord({ readOnly = [] }: Subject): LayerWord | undefined {
  if (readOnly.length === 0) return undefined;
  const are = readOnly.length === 1 ? "is" : "are";
  return { layer: "read-only files", verdict: "ask", because: `${readOnly.join(", ")} ${are} read-only` };
}

function stageWord({ subject, containment }: AnalyzedCall, { sandbox }: Policy): LayerWord | undefined {
  const isCommand = subject.command !== undefined || subject.lasting === true;
  if (!subject.stages || !isCommand) return undefined;
  const why = whyNotStaged(subject, containment, sandbox);
  if (why === undefined) return undefined;
  return { layer: "staging", verdict: "deny", because: `it cannot be staged: ${why}` };
}

/** Denies what must fail in the terminal's sandbox, so that no person is asked in vain. */
function reachWord({ judgement, runsIn }: Subject): LayerWord | undefined {
  if (!judgement?.usesNetwork || !runsIn || !isContaining(runsIn)) return undefined;
  const isOutOfReach = judgement.onlyInstalls ? runsIn.profile !== "install" : judgement.usesOpenGit;
  if (!isOutOfReach) return undefined;
  const because =
    "the terminal's sandbox has no network. Run this as a command by itself, or start it in a terminal of its own";
  return { layer: "terminal", verdict: "deny", because };
}

/** A program started by git, such as an editor, can run anything in a sandbox where git may write. */
function whyTypingAsks({ into }: Subject, runsIn: SandboxRecord): string | undefined {
  if (!isContaining(runsIn)) return outsideOf(runsIn);
  const isOfGit = runsIn.profile === "git" && into !== "git";
  return isOfGit
    ? `${into ?? "what reads it"} was started by git, and can change the repository itself`
    : undefined;
}

/** Only file changes and commands can be staged; other effects of tools happen immediately. */
const canBeShown = ({ does, command }: Subject): boolean => does === "change" || command !== undefined;

function modeWord(subject: Subject, { mode }: Policy): LayerWord {
  const word = (verdict: Verdict, because: string): LayerWord => ({
    layer: `mode ${mode}`,
    verdict,
    because,
  });
  if (subject.hosts?.length) return word("ask", `what it asks for is sent to ${subject.hosts.join(", ")}`);
  if (subject.does === "read") return word("allow", "it only reads");
  if (subject.delegates) return word("allow", "each call of the subagent is decided on by itself");
  if (subject.stages && canBeShown(subject)) return word("allow", "it only shows what it would change");
  if (subject.runsIn) {
    const because = whyTypingAsks(subject, subject.runsIn);
    return because === undefined ? word("allow", "what it is typed into is contained") : word("ask", because);
  }
  if (subject.does !== "change") return word("ask", "it does more than read");
  const isFree = mode === "accept-edits" || mode === "auto";
  return isFree ? word("allow", `the mode ${mode} accepts file changes`) : word("ask", "it changes files");
}
