/** The verdicts of the command layers: severity, working zone and sandbox. */

import type { SandboxRecord } from "../protocol/facts.ts";
import { isContaining, isHarmless, reachesService, touchesSecret, whatItLeaves } from "./containment.ts";
import type { AnalyzedCall } from "./grants.ts";
import type { Judgement } from "./judgement.ts";
import { type LayerWord, type LayerWords, present } from "./lattice.ts";
import type { Policy, Subject } from "./subject.ts";

/** The zone's denial is final, a critical severity is firm, all else is overridden by what overrides the usual words. */
export function layersOfCommand(
  use: AnalyzedCall,
  policy: Policy,
): Pick<LayerWords, "final" | "firm" | "usual"> {
  const { judgement } = use.subject;
  const severity = severityWord(use, policy);
  const zone = judgement && zoneWord(judgement, use);
  const isCritical = severity.verdict === "ask-always";
  const isFinal = zone?.verdict === "deny";
  return {
    final: present(isFinal ? zone : undefined),
    firm: present(isCritical ? severity : undefined),
    usual: present(isCritical ? undefined : severity, isFinal ? undefined : zone, sandboxWord(use, policy)),
  };
}

/** Critical always asks (A36), high asks, and medium runs in the mode `auto` if it is contained. */
function severityWord({ subject, containment, around }: AnalyzedCall, { mode }: Policy): LayerWord {
  const { severity, because } = subject.judgement ?? { severity: "high", because: "it was not understood" };
  const layer = "severity";
  const isShown = subject.judgement !== undefined && touchesSecret(subject.judgement, around);
  const isOverOverlay = subject.stages === true && containment.isContained && !isShown;
  switch (severity) {
    case "none":
      return { layer, verdict: "allow", because: "nothing in it is dangerous" };
    case "medium":
      if (isOverOverlay) return overOverlay;
      return mode === "auto" && containment.isContained
        ? { layer: "mode auto", verdict: "allow", because: `it is contained, though ${because}` }
        : { layer, verdict: "ask", because };
    case "high":
      if (isOverOverlay) return overOverlay;
      if (subject.judgement?.onlyShowsVariables && containment.isContained) return withoutSecrets;
      return { layer, verdict: "ask", because };
    case "critical":
      return { layer, verdict: "ask-always", because };
    default:
      return severity satisfies never;
  }
}

const overOverlay: LayerWord = {
  layer: "staging",
  verdict: "allow",
  because: "it is contained, and its changes are only shown",
};

const withoutSecrets: LayerWord = {
  layer: "sandbox",
  verdict: "allow",
  because: "it only shows variables, and the sandbox withholds the secret ones",
};

/** B12: destroying something outside is denied, only touching it asks; destruction inside asks by its severity. */
function zoneWord(judgement: Judgement, { around }: AnalyzedCall): LayerWord | undefined {
  const layer = "working zone";
  if (judgement.destroysOutside)
    return {
      layer,
      verdict: "deny",
      because: `${judgement.because || "it removes something"}; outside the workspace that is done by hand only`,
    };
  const left = whatItLeaves(judgement, around);
  if (left === undefined) return undefined;
  const what = left === "unknown" ? "touches something" : `${left.access}s ${left.path},`;
  return { layer, verdict: "ask", because: `it ${what} outside the workspace` };
}

/** A command that the sandbox does not contain asks unless it is harmless, and the reason always says so. */
function sandboxWord({ subject, containment }: AnalyzedCall, { sandbox }: Policy): LayerWord {
  const layer = "sandbox";
  if (subject.runsIn) return typedWord(subject.runsIn);
  if (!sandbox.isOn) {
    const off = sandboxOff(sandbox);
    return isHarmless(subject)
      ? { layer, verdict: "allow", because: `${off}, and it only reads` }
      : { layer, verdict: "ask", because: off };
  }
  const { profile } = containment;
  const { uncontainable, usesService, onlyRequests, mayLookOutside } = subject.judgement ?? {};
  const onlyLooks = mayLookOutside === true && isHarmless(subject);
  if (uncontainable !== undefined) {
    const verdict = onlyLooks ? "allow" : "ask";
    const why = isHarmless(subject) ? whyUnlisted(subject) : "";
    return { layer, verdict, because: `it runs outside the sandbox: ${uncontainable}${why}` };
  }
  if (profile !== "open") {
    const { hosts } = subject.reaches ?? {};
    const reaches = hosts ? `, and reaches ${hosts.join(" and ")} only` : "";
    return { layer, verdict: "allow", because: `it runs in the sandbox (${profile})${reaches}` };
  }
  if (usesService && onlyLooks)
    return { layer, verdict: "allow", because: "it only asks a service of this machine" };
  if (onlyRequests && mayLookOutside && !subject.lasting)
    return {
      layer,
      verdict: "allow",
      because: "it only asks a service that the project or its user has chosen",
    };
  const why = onlyRequests || (usesService && isHarmless(subject)) ? whyUnlisted(subject) : "";
  return { layer, verdict: "ask", because: `it must run ${whyOpen(subject.judgement)}${why}` };
}

/** Why what seems to only look asks. */
function whyUnlisted({ judgement, lasting }: Subject): string {
  const part = judgement?.parts.find(({ mayLookOutside }) => !mayLookOutside);
  if (!part || lasting) return "";
  const words = part.words.length > mostWords ? `${part.words.slice(0, mostWords)}…` : part.words;
  return `, and “${words}” is not listed as only looking there`;
}

const mostWords = 60;

/** Typed input runs where the terminal's program does, whatever profile it would get as a command. */
function typedWord(runsIn: SandboxRecord): LayerWord {
  const layer = "sandbox";
  return isContaining(runsIn)
    ? { layer, verdict: "allow", because: `the terminal runs in the sandbox (${runsIn.profile})` }
    : { layer, verdict: "ask", because: outsideOf(runsIn) };
}

export const outsideOf = ({ because }: SandboxRecord): string =>
  `the terminal runs outside the sandbox${because === undefined ? "" : ` (${because})`}`;

function whyOpen(judgement: Judgement | undefined): string {
  if (judgement?.usesNetwork) return "with the network";
  if (judgement?.usesOpenGit) return "where git may change its settings";
  return judgement && reachesService(judgement)
    ? "where it reaches a service of this machine"
    : "outside what the sandbox contains";
}

const sandboxOff = ({ because }: Policy["sandbox"]): string =>
  `the sandbox is off${because === undefined ? "" : ` (${because})`}`;

/** The reason shown with a question, which never hides that there is no sandbox. */
export function withSandbox(word: LayerWord, { subject }: AnalyzedCall, { sandbox }: Policy): string {
  const { command, runsIn } = subject;
  if (command === undefined || word.layer === "sandbox") return word.because;
  if (runsIn) return isContaining(runsIn) ? word.because : `${word.because}; ${outsideOf(runsIn)}`;
  if (sandbox.isOn) return word.because;
  return `${word.because}; ${sandboxOff(sandbox)}`;
}
