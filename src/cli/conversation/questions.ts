/** Asks for approval on the terminal: shows the whole command or diff and reads a one-line answer. */

import { scopes as allScopes } from "../../protocol/fact-words.ts";
import type { DroppedPart, FactOf, Scope } from "../../protocol/facts.ts";
import { pendingApprovals } from "../../protocol/session-state.ts";
import type { CallQuestion, Card, CardOffer } from "../../tui/card.ts";
import type { Terminal } from "../../tui/terminal.ts";
import { questionIn } from "../../view/question.ts";
import { waitingLines, type WaitingQuestion, wholeDiff } from "../../view/waiting-lines.ts";
import { chooseParts } from "./choose-parts.ts";
import { askUntilTaken, readReply } from "./reply.ts";
import type { Talk } from "./talk.ts";

type ApprovalAnswer = {
  answer: "allow" | "deny";
  scope: Scope;
  note?: string;
  command?: string;
  drops?: DroppedPart[];
};

/** The letter and words of each scope of approval. */
const yes: Readonly<Record<Scope, { letter: string; shown: string; words: readonly string[] }>> = {
  once: { letter: "y", shown: "[y]es once", words: ["y", "yes"] },
  turn: { letter: "t", shown: "[t]his turn", words: ["t", "turn", "this turn"] },
  session: { letter: "s", shown: "[s]ession", words: ["s", "session", "this session"] },
  project: { letter: "p", shown: "[p]roject", words: ["p", "project", "this project"] },
};

const usualScopes: readonly Scope[] = ["once", "turn", "session"];

function approvalCard(question: CallQuestion): Card {
  const { scopes = usualScopes, command, risk } = question;
  const isCritical = risk === "critical";
  const shown = [...scopes.map((scope) => yes[scope].shown), ...(command === undefined ? [] : ["[e]dit"])];
  return {
    content: { type: "approval", question },
    offers: [
      ...scopes.map((scope) => ({
        ...allowing(scope, scope),
        ...(isCritical ? { needs: "enter" as const } : {}),
      })),
      ...(command === undefined ? [] : [{ key: "e", words: "edit the command", answer: "e" }]),
      refusing("no, and why"),
    ],
    prompt: `  ${shown.join(" · ")} · [n]o, or type why not: `,
  };
}

const allowing = (scope: Scope, words: string): CardOffer => ({
  key: yes[scope].letter,
  words,
  answer: yes[scope].letter,
});

const refusing = (words: string): CardOffer => ({ key: "n", words, answer: "n", needs: "words" });

const hintOf = ({ offers }: Card): string => {
  const keys = offers.filter(({ key }) => key !== "n").map(({ key }) => key);
  return `  Please answer ${keys.join(", ")} or n; a longer answer is a no with its reason.`;
};

/** Of a command that has run already: what is kept of its changes. */
export async function askApproval(talk: Talk, asked: FactOf<"approval-asked">): Promise<void> {
  const { callId } = asked;
  const question = questionIn(asked);
  const { waiting } = question;
  await askUntilTaken<ApprovalAnswer>(talk, {
    isOpen: () => isPending(talk, callId),
    read: () => (waiting ? askToKeep(talk, { ...question, waiting }) : readAnswer(talk, question)),
    refusal: { answer: "deny", scope: "once" },
    command: (answer) => ({ type: "answer-approval", callId, by: "terminal", ...answer }),
  });
}

/**
 * Asks a yes-or-no question of our own; `undefined` at the end of the input or when cancelled. `alsoYes`: the command
 * that does the same.
 */
export async function confirm(
  person: Pick<Terminal, "answer">,
  question: string,
  alsoYes?: string,
): Promise<boolean | undefined> {
  for (let hint = ""; ; hint = "Please answer y or n. ") {
    const line = await person.answer(`${hint}${question} [y/n] `);
    if (line === undefined) return undefined;
    const said = line.trim().toLowerCase();
    if (/^no?$/u.test(said)) return false;
    if (/^y(es)?$/u.test(said) || said === alsoYes) return true;
  }
}

/** `undefined` if the answer is unclear or not offered. */
export function parseAnswer(
  line: string,
  scopes: readonly Scope[] = usualScopes,
): ApprovalAnswer | undefined {
  const said = line.trim();
  const word = said.toLowerCase();
  const scope = allScopes.find((each) => yes[each].words.includes(word));
  if (scope) return scopes.includes(scope) ? { answer: "allow", scope } : undefined;
  if (word === "n" || word === "no") return { answer: "deny", scope: "once" };
  const note = said.replace(/^no?[\s,:;.–-]+/iu, "");
  // A note this short is a typo and not a reason.
  return note.length < 4 && note === said ? undefined : { answer: "deny", scope: "once", note };
}

async function readAnswer(talk: Talk, question: CallQuestion): Promise<ApprovalAnswer | undefined> {
  const { callId, command, scopes } = question;
  const card = approvalCard(question);
  for (;;) {
    const line = await readReply(talk, card);
    if (line === undefined) return undefined;
    if (command !== undefined && /^(?:e|edit)$/iu.test(line.trim())) {
      const edited = await editCommand(talk, command);
      if (edited !== undefined) return { answer: "allow", scope: "once", command: edited };
      if (!isPending(talk, callId)) return undefined;
      continue;
    }
    const answer = parseAnswer(line, scopes);
    if (answer) return answer;
    talk.terminal.note(hintOf(card));
  }
}

/** About the changes of a command that has run: all of them, or chosen hunk by hunk. */
async function askToKeep(talk: Talk, question: WaitingQuestion): Promise<ApprovalAnswer | undefined> {
  const { callId, waiting, scopes } = question;
  const { terminal, style } = talk;
  const { isCut } = waitingLines(question, style, terminal.columns);
  const card = keepingCard(question, isCut);
  while (isPending(talk, callId)) {
    const line = await readReply(talk, card);
    if (line === undefined) return undefined;
    const word = line.trim().toLowerCase();
    if (/^c(?:hoose)?$/u.test(word)) {
      const drops = await chooseParts(talk, waiting.files);
      if (drops) return { answer: "allow", scope: "once", drops };
      continue;
    }
    if (isCut && /^d(?:iff)?$/u.test(word)) {
      terminal.quote(...wholeDiff(question, style, terminal.columns));
      continue;
    }
    const answer = parseAnswer(line, scopes);
    if (answer) return answer;
    terminal.note(hintOf(card));
  }
  return undefined;
}

function keepingCard(question: WaitingQuestion, isCut: boolean): Card {
  const wider = (question.scopes ?? usualScopes).filter((scope) => scope !== "once");
  const shown = [
    "[y]es, keep all",
    "[c]hoose",
    ...(isCut ? ["[d]iff"] : []),
    ...wider.map((scope) => yes[scope].shown),
  ];
  return {
    content: { type: "approval", question },
    offers: [
      allowing("once", "keep all"),
      ...wider.map((scope) => allowing(scope, scope)),
      { key: "c", words: "choose", answer: "c" },
      ...(isCut ? [{ key: "d", words: "whole diff", answer: "d" }] : []),
      refusing("drop all, and why"),
    ],
    prompt: `  ${shown.join(" · ")} · [n]o, drop all, or type why not: `,
  };
}

const isPending = ({ session }: Talk, callId: string): boolean =>
  pendingApprovals(session.state).some((open) => open.callId === callId);

/** A longer text appears at the prompt as a paste mark. */
const mostInLine = 400;

/** `undefined` if nothing was written or the question was cancelled. */
async function editCommand(talk: Talk, command: string): Promise<string | undefined> {
  const { terminal } = talk;
  const isLong = !terminal.editsLines && (command.includes("\n") || command.length > mostInLine);
  const edited = isLong ? await terminal.edit(command, "command.sh") : undefined;
  if (edited !== undefined) {
    if (edited.ok) return edited.value.trimEnd() || undefined;
    terminal.note(`  ${edited.problem}`);
    return undefined;
  }
  if (isLong) terminal.note("  It is too long for this line: set $EDITOR, or type it again.");
  const written = terminal.answer("  Run instead: ");
  if (!isLong) terminal.prefill(command);
  const line = await written;
  return line === undefined || line.trim() === "" ? undefined : line;
}
