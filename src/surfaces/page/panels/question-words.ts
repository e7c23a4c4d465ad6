/** What an approval card says: what is asked about, which answers there are, and what came of it. */

import { nobody } from "../../../protocol/fact-words.ts";
import type { Risk, Scope, Verdict } from "../../../protocol/facts.ts";
import { placeWords } from "../../../protocol/place.ts";
import type { SessionState } from "../../../protocol/session-state.ts";
import type { QuestionBlock } from "../../view/blocks.ts";
import { visibleLine, visiblePreview } from "../../view/visible.ts";

/** Told by what the question itself says it would do, never by how its text looks. */
type AskedFor = "command" | "change" | "other";

export function askedFor({ isDiff, sandbox }: QuestionBlock): AskedFor {
  if (isDiff === true) return "change";
  return sandbox ? "command" : "other";
}

const headings: Readonly<Record<AskedFor, string>> = {
  command: "Run this command?",
  change: "Apply this change?",
  other: "Allow this?",
};

export const headingOf = (what: AskedFor): string => headings[what];

/** The title beside the heading; empty where it says nothing but the preview. */
export const titleBeside = ({ title, preview }: QuestionBlock): string =>
  title === preview || title.endsWith(` ${preview}`) ? "" : firstLine(title);

/** What it was about, once it is decided: the command that ran instead, if there was one. */
export const titleOver = ({ title, answer }: QuestionBlock): string => firstLine(answer?.command ?? title);

function firstLine(text: string): string {
  const [first = ""] = text.split("\n", 1);
  return visibleLine(first === text ? text : `${first} …`);
}

/** It waits for an answer: nobody gave one, and the call it is about is not over. */
export const isOpen = ({ answer, callId }: QuestionBlock, { open }: Pick<SessionState, "open">): boolean =>
  !answer && open.has(callId);

/** The command as it can be edited, and where it runs. */
export const editableCommand = ({
  command,
  place,
}: QuestionBlock): { command: string; where: string } | undefined =>
  command === undefined ? undefined : { command, where: visibleLine(placeWords(place)) };

/** What a text field does not show as it is; `undefined` where it shows everything. */
export function hiddenIn(command: string): string | undefined {
  const visible = visiblePreview(command);
  return visible === command ? undefined : visible;
}

const usualScopes: readonly Scope[] = ["once", "turn", "session"];

const scopesOf = ({ scopes = usualScopes }: QuestionBlock): readonly Scope[] => scopes;

const yesWords: Readonly<Record<AskedFor, string>> = { command: "Run", change: "Apply", other: "Allow" };

export const onceLabel = (what: AskedFor): string => `${yesWords[what]} once`;

/** Before the scopes for which it is not asked again. */
export const widerLabel = (what: AskedFor): string => `${yesWords[what]}, and don't ask again for`;

type Wider = Exclude<Scope, "once">;

const scopeWords: Readonly<Record<Wider, string>> = {
  turn: "request",
  session: "session",
  project: "project",
};

export const scopeLabel = (scope: Wider): string => `this ${scopeWords[scope]}`;

export const widerScopes = (question: QuestionBlock): Wider[] =>
  scopesOf(question).filter((scope) => scope !== "once");

/** What an answer for longer would cover; it stands above the answers. */
export function widerWords(question: QuestionBlock): string {
  if (widerScopes(question).length === 0)
    return "Allowing covers this one call only; it will ask every time.";
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
  allow: "allow",
  ask: "ask",
  "ask-always": "always ask",
  deny: "deny",
};

/** Each layer's word on the decision, in order. */
export const traceLines = ({ trace = [] }: QuestionBlock): { layer: string; words: string }[] =>
  trace.map(({ layer, verdict, because }) => ({
    layer: visibleLine(layer),
    words: `${verdicts[verdict]}: ${visibleLine(because)}`,
  }));

/** From where somebody answered; the page's own answers come from "user". */
export function answeredFrom(by: string): string {
  if (by === "user") return "on the page";
  if (by === "terminal") return "in the terminal";
  return by === "toolwright" ? "by the settings" : `by ${visibleLine(by)}`;
}

/** What came of the question, in one sentence. */
export function outcomeWords({ answer }: QuestionBlock): string {
  if (!answer) return "Not answered: the request is over";
  if (answer.by === nobody) return "Not answered in time, which counts as a no";
  const from = answeredFrom(answer.by);
  if (answer.answer === "allow") {
    const scope = answer.scope === "once" ? "once" : `for ${scopeLabel(answer.scope)}`;
    return answer.command === undefined
      ? `Allowed ${scope}, ${from}`
      : `Allowed ${scope}, ${from}, edited to`;
  }
  const note = answer.note === undefined || answer.note === "" ? "" : `: ${visibleLine(answer.note)}`;
  return `Denied ${from}${note}`;
}
