/** What an approval card says: what is asked about, which answers there are, and what came of it. */
import type { Risk, Scope, Verdict } from "../../../protocol/facts.ts";
import type { SessionState } from "../../../protocol/session-state.ts";
import type { QuestionBlock } from "../../view/blocks.ts";
import { visibleLine, visiblePreview } from "../../view/visible.ts";

/** Told by what the question itself says it would do, never by how its text looks. */
export type AskedFor = "command" | "change" | "other";

export function askedFor({ isDiff, sandbox }: QuestionBlock): AskedFor {
  if (isDiff === true) return "change";
  return sandbox ? "command" : "other";
}

const headings: Readonly<Record<AskedFor, string>> = {
  command: "Run this command?",
  change: "Make this change?",
  other: "Allow this?",
};

/** Afterwards it is no question any more. */
const told: Readonly<Record<AskedFor, string>> = {
  command: "Asked to run a command",
  change: "Asked to make a change",
  other: "Asked",
};

export const headingOf = (what: AskedFor, isOpen: boolean): string => (isOpen ? headings[what] : told[what]);

/** The title beside the heading; empty where it says nothing but the preview, as long as that is in sight. */
export function titleBeside({ title, preview }: QuestionBlock, isOpen: boolean): string {
  const isSaid = isOpen && (title === preview || title.endsWith(` ${preview}`));
  const [first = ""] = title.split("\n", 1);
  return isSaid ? "" : visibleLine(first === title ? title : `${first} …`);
}

/** It waits for an answer: nobody gave one, and the call it is about is not over. */
export const isOpen = ({ answer, callId }: QuestionBlock, { open }: Pick<SessionState, "open">): boolean =>
  !answer && open.has(callId);

/** The command as it can be edited, and where it runs: the line above it in what is shown, without its sign. */
export function editableCommand({
  command,
  preview,
}: QuestionBlock): { command: string; where: string } | undefined {
  if (command === undefined) return undefined;
  const [first = ""] = preview.split("\n", 1);
  const isBelow = preview !== command && first.startsWith("#");
  return { command, where: isBelow ? visibleLine(first.slice(1).trim()) : "" };
}

/** What a text field does not show as it is; `undefined` where it shows everything. */
export function hiddenIn(command: string): string | undefined {
  const visible = visiblePreview(command);
  return visible === command ? undefined : visible;
}

const usualScopes: readonly Scope[] = ["once", "turn", "session"];

export const scopesOf = ({ scopes = usualScopes }: QuestionBlock): readonly Scope[] => scopes;

const yesWords: Readonly<Record<AskedFor, Readonly<Record<Scope, string>>>> = {
  command: {
    once: "Run once",
    turn: "Run, for this request",
    session: "Run, for this session",
    project: "Run, for this project",
  },
  change: {
    once: "Make it",
    turn: "Make it, for this request",
    session: "Make it, for this session",
    project: "Make it, for this project",
  },
  other: {
    once: "Allow once",
    turn: "Allow for this request",
    session: "Allow for this session",
    project: "Allow for this project",
  },
};

export const yesLabel = (what: AskedFor, scope: Scope): string => yesWords[what][scope];

const scopeWords: Readonly<Record<Scope, string>> = {
  once: "once",
  turn: "request",
  session: "session",
  project: "project",
};

/** What an answer for longer would cover; it stands above the answers. */
export function widerWords(question: QuestionBlock): string {
  const wider = scopesOf(question).filter((scope) => scope !== "once");
  if (wider.length === 0) return "A yes covers only this once: such a thing is asked about every time.";
  const named = wider.map((scope) => scopeWords[scope]);
  const last = named.pop() ?? "";
  const all = named.length === 0 ? last : `${named.join(", ")} or ${last}`;
  return `A yes for this ${all} covers: ${visiblePreview(question.grant).replaceAll("\n", "⏎")}`;
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
  if (!answer) return "Nobody answered: its request is over.";
  const from = answeredFrom(answer.by);
  if (answer.answer === "allow") {
    const scope = answer.scope === "once" ? "once" : `for this ${scopeWords[answer.scope]}`;
    return answer.command === undefined
      ? `Allowed ${scope}, ${from}.`
      : `Allowed ${scope}, ${from}, with another command:`;
  }
  const note = answer.note === undefined || answer.note === "" ? "" : `: ${visibleLine(answer.note)}`;
  return `Refused ${from}${note === "" ? "." : note}`;
}
