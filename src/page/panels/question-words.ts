/** The texts of an approval card: the action, the possible answers, and the outcome. */

import { visibleLine, visiblePreview } from "../../base/visible-text.ts";
import { withoutPerson } from "../../protocol/fact-words.ts";
import type { Risk, Scope, Verdict } from "../../protocol/facts.ts";
import { placeWords } from "../../protocol/place.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import type { QuestionBlock } from "../../view/blocks.ts";
import { capital } from "../../view/review.ts";
import { keptWords } from "../../view/waiting-changes.ts";

/** Determined by the question's own data, never by the look of its text. */
export type ApprovalSubject = "command" | "change" | "held" | "other";

export function askedFor({ isDiff, sandbox, waiting }: QuestionBlock): ApprovalSubject {
  if (waiting) return "held";
  if (isDiff === true) return "change";
  return sandbox ? "command" : "other";
}

const headings: Readonly<Record<ApprovalSubject, string>> = {
  command: "Run this command?",
  change: "Apply this change?",
  held: "Keep these changes?",
  other: "Allow this?",
};

export const headingOf = (what: ApprovalSubject): string => headings[what];

/** The title beside the heading; empty if it would only repeat the preview. */
export const titleBeside = ({ title, preview }: QuestionBlock): string =>
  title === preview || title.endsWith(` ${preview}`) ? "" : firstLine(title);

function firstLine(text: string): string {
  const [first = ""] = text.split("\n", 1);
  return visibleLine(first === text ? text : `${first} …`);
}

/** Waits for an answer: it has none, and its call is not over. */
export const isOpen = ({ answer, callId }: QuestionBlock, { open }: Pick<SessionState, "open">): boolean =>
  !answer && open.has(callId);

/** The command for editing, and where it runs. */
export const editableCommand = ({
  command,
  place,
}: QuestionBlock): { command: string; where: string } | undefined =>
  command === undefined ? undefined : { command, where: visibleLine(placeWords(place)) };

/** The command with hidden characters made visible; `undefined` if a text field shows all of it. */
export function hiddenIn(command: string): string | undefined {
  const visible = visiblePreview(command);
  return visible === command ? undefined : visible;
}

const usualScopes: readonly Scope[] = ["once", "turn", "session"];

const scopesOf = ({ scopes = usualScopes }: QuestionBlock): readonly Scope[] => scopes;

const yesWords: Readonly<Record<ApprovalSubject, string>> = {
  command: "Run",
  change: "Apply",
  held: "Keep all",
  other: "Allow",
};

/** `isPart`: some of the changes are dropped. */
export function onceLabel(what: ApprovalSubject, isPart = false): string {
  if (what === "held") return isPart ? "Keep what is ticked" : "Keep all";
  return `${yesWords[what]} once`;
}

export const denyLabel = (what: ApprovalSubject): string => (what === "held" ? "Drop all…" : "Deny…");

/** Introduces the scopes within which the question is not repeated. */
export const widerLabel = (what: ApprovalSubject): string =>
  what === "held" ? "Keep, and don't ask again for" : `${yesWords[what]}, and don't ask again for`;

type WiderScope = Exclude<Scope, "once">;

const scopeWords: Readonly<Record<WiderScope, string>> = {
  turn: "request",
  session: "session",
  project: "project",
};

export const scopeLabel = (scope: WiderScope): string => `this ${scopeWords[scope]}`;

export const widerScopes = (question: QuestionBlock): WiderScope[] =>
  scopesOf(question).filter((scope) => scope !== "once");

/** What a longer-lasting answer would cover, shown above the answers. */
export function widerWords(question: QuestionBlock): string {
  if (widerScopes(question).length === 0)
    return question.waiting
      ? "This answer covers this run only."
      : "Allowing covers this one call only; it will ask every time.";
  return `“Don't ask again” covers: ${visiblePreview(question.grant).replaceAll("\n", "⏎")}`;
}

const risks: Readonly<Record<Risk, string>> = {
  none: "no risk known",
  medium: "medium risk",
  high: "high risk",
  critical: "critical risk",
};

export const riskWords = (risk: Risk): string => risks[risk];

const verdicts: Readonly<Record<Verdict, string>> = {
  allow: "Yes",
  ask: "Ask",
  "ask-always": "Always ask",
  deny: "No",
};

/** The layers whose names say too little to people. */
const layers: Readonly<Record<string, string>> = {
  severity: "How risky it is",
  "working zone": "Where it works",
  token: "Staged before",
  grant: "Allowed before",
  none: "Otherwise",
  staging: "Staging",
  hook: "Hooks",
};

const layerWords = (layer: string): string =>
  layers[layer] ?? `${layer.slice(0, 1).toUpperCase()}${layer.slice(1)}`;

/** Each policy layer's verdict on the decision, in order. */
export const traceLines = ({ trace = [] }: QuestionBlock): { layer: string; words: string }[] =>
  trace.map(({ layer, verdict, because }) => ({
    layer: visibleLine(layerWords(layer)),
    words: `${verdicts[verdict]}: ${visibleLine(because)}`,
  }));

/** Where the answer was given; what people answer on a page or in an editor comes from "user". */
export function answeredFrom(by: string): string {
  if (by === "user") return "by you";
  if (by === "terminal") return "in the terminal";
  return by === "toolwright" ? "by the settings" : `by ${visibleLine(by)}`;
}

/** The question's outcome in one sentence. */
export function outcomeWords({ answer, waiting }: QuestionBlock): string {
  if (!answer) return "Not answered: the request is over";
  if (waiting) {
    const where = withoutPerson(answer.by) !== undefined ? "" : ` (${answeredFrom(answer.by)})`;
    return capital(visibleLine(keptWords(answer))) + where;
  }
  const note = answer.note === undefined || answer.note === "" ? "" : `: ${visibleLine(answer.note)}`;
  const none = withoutPerson(answer.by);
  if (none !== undefined) return `${capital(none)}, which counts as a no${note}`;
  const from = answeredFrom(answer.by);
  if (answer.answer === "allow") {
    const scope = answer.scope === "once" ? "once" : `for ${scopeLabel(answer.scope)}`;
    return answer.command === undefined ? `Allowed ${scope}, ${from}` : `Allowed ${scope}, ${from}, edited`;
  }
  return `Denied ${from}${note}`;
}
