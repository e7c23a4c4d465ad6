/** Asks about a plan on the terminal: approve it with a mode, edit its steps, or reject it with a reason. */

import type { AnswerQuestion } from "../../protocol/commands.ts";
import type { Mode, PlanStep } from "../../protocol/facts.ts";
import type { Card, CardContent, CardOffer } from "../../tui/card.ts";
import type { AskedBlock } from "../../view/blocks.ts";
import { readReply } from "./reply.ts";
import type { Talk } from "./talk.ts";

type PlanAnswer = Pick<AnswerQuestion, "answer" | "text" | "steps" | "mode">;

const approvals: readonly { key: string; mode: Mode; words: string; shown: string }[] = [
  { key: "y", mode: "ask", words: "yes, ask me", shown: "[y]es, ask me" },
  { key: "a", mode: "accept-edits", words: "yes, accept edits", shown: "yes, [a]ccept edits" },
  { key: "u", mode: "auto", words: "yes, auto: asks least", shown: "yes, a[u]to: asks least" },
];

/** Without a step there is nothing to approve, without a change none to take back. */
function planCard(
  content: Extract<CardContent, { type: "plan" }>,
  { isEmpty, isChanged }: { isEmpty: boolean; isChanged: boolean },
): Card {
  const yes = isEmpty ? [] : approvals;
  const offers: CardOffer[] = [
    ...yes.map(({ key, words }) => ({ key, words, answer: key })),
    ...(isChanged ? [{ key: "z", words: "take back", answer: "z" }] : []),
    { key: "n", words: "no, and why", answer: "n", needs: "words" },
  ];
  const shown = [
    ...(isEmpty ? ["No step is left"] : yes.map((each) => each.shown)),
    "[e]dit",
    ...(isChanged ? ["[z] takes the last change back"] : []),
  ];
  return { content, offers, prompt: `  ${shown.join(" · ")} · [n]o, or type why not: ` };
}

const hint = "  Please answer y, a, u, e or n; a longer answer is a no with its reason.";
const howToEdit =
  "  drop 2 leaves step 2 out · 2: other words changes it · move 3 to 1 · add: words adds one; then y, a or u approves.";

/** `undefined` at the end of the input. */
export async function readPlanAnswer(
  talk: Talk,
  asked: AskedBlock,
  planned: readonly PlanStep[],
): Promise<PlanAnswer | undefined> {
  const states: (readonly PlanStep[])[] = [planned];
  let content: Extract<CardContent, { type: "plan" }> = { type: "plan", asked };
  for (;;) {
    const steps = states.at(-1) ?? planned;
    if (content.asked.steps !== steps) content = { type: "plan", asked: { ...asked, steps } };
    const isChanged = states.length > 1;
    const line = await readReply(talk, planCard(content, { isEmpty: steps.length === 0, isChanged }));
    if (line === undefined) return undefined;
    const said = parsePlanAnswer(line, steps);
    switch (said.type) {
      case "approve":
        if (steps.length > 0)
          return { answer: "given", mode: said.mode, ...(steps === planned ? {} : { steps: [...steps] }) };
        break;
      case "reject":
        return { answer: "declined", text: said.because };
      case "edited":
        states.push(said.steps);
        break;
      case "edit": {
        const edited = await editSteps(talk, steps);
        if (edited !== steps) states.push(edited);
        break;
      }
      case "back":
        if (isChanged) states.pop();
        break;
      case "unclear":
        talk.terminal.note(said.hint);
        break;
      default:
        said satisfies never;
    }
  }
}

type PlanInstruction =
  | { type: "approve"; mode: Mode }
  | { type: "reject"; because?: string }
  | { type: "edited"; steps: readonly PlanStep[] }
  | { type: "edit" }
  | { type: "back" }
  | { type: "unclear"; hint: string };

export function parsePlanAnswer(line: string, steps: readonly PlanStep[]): PlanInstruction {
  const said = line.trim();
  const word = said.toLowerCase().replace("accept edits", "accept-edits").replace(/^yes$/u, "y");
  const approval = approvals.find(({ key, mode }) => word === key || word === mode);
  if (approval) return { type: "approve", mode: approval.mode };
  if (/^(?:z|back|undo)$/u.test(word)) return { type: "back" };
  if (/^(?:e|edit)$/iu.test(said)) return { type: "edit" };
  if (/^(?:n|no|reject)$/iu.test(said)) return { type: "reject" };
  const dropped = /^(?:e(?:dit)?\s+)?(?:drop|remove|without)\s+(\d+(?:[\s,]+\d+)*)$/iu.exec(said)?.[1];
  if (dropped !== undefined) return drop(dropped.match(/\d+/gu)?.map(Number) ?? [], steps);
  const [, from, to] = /^(?:e(?:dit)?\s+)?move\s+(\d+)\s+to\s+(\d+)$/iu.exec(said) ?? [];
  if (from !== undefined && to !== undefined) return move(Number(from), Number(to), steps);
  const [, number, words = ""] = /^(?:e(?:dit)?\s+)?(\d+)\s*[:=]\s*(\S.*)$/isu.exec(said) ?? [];
  if (number !== undefined) return reword(Number(number), words, steps);
  const added = /^add\s*[:=]\s*(\S.*)$/isu.exec(said)?.[1];
  if (added !== undefined) return { type: "edited", steps: [...steps, { title: added }] };
  const because = said.replace(/^no?[\s,:;.–-]+/iu, "");
  if (because.length < 4 && because === said) return { type: "unclear", hint };
  return { type: "reject", because };
}

function drop(numbers: readonly number[], steps: readonly PlanStep[]): PlanInstruction {
  const wrong = numbers.find((number) => number < 1 || number > steps.length);
  if (wrong !== undefined) return noStep(wrong, steps);
  return { type: "edited", steps: steps.filter((_, at) => !numbers.includes(at + 1)) };
}

function move(from: number, to: number, steps: readonly PlanStep[]): PlanInstruction {
  const step = steps[from - 1];
  if (!step) return noStep(from, steps);
  if (to < 1 || to > steps.length) return noStep(to, steps);
  return { type: "edited", steps: steps.toSpliced(from - 1, 1).toSpliced(to - 1, 0, step) };
}

function reword(number: number, title: string, steps: readonly PlanStep[]): PlanInstruction {
  if (number < 1 || number > steps.length) return noStep(number, steps);
  return { type: "edited", steps: steps.map((step, at) => (at + 1 === number ? { title } : step)) };
}

const noStep = (number: number, { length }: readonly PlanStep[]): PlanInstruction => ({
  type: "unclear",
  hint: `  There is no step ${number}: they are numbered 1 to ${length}.`,
});

/** Edits in the person's editor if one is configured, else line by line at the prompt. */
async function editSteps(talk: Talk, steps: readonly PlanStep[]): Promise<readonly PlanStep[]> {
  const { terminal } = talk;
  const edited = await terminal.edit(planText(steps), "plan.md");
  if (edited === undefined) {
    terminal.note(howToEdit);
    return steps;
  }
  if (!edited.ok) {
    terminal.note(`  ${edited.problem}`, howToEdit);
    return steps;
  }
  return readPlanText(edited.value);
}

const planText = (steps: readonly PlanStep[]): string =>
  [
    "# One step for each line that begins with a number; lines that are indented belong to it. Lines with # are left out.",
    ...steps.flatMap(({ title, detail }, at) => [
      `${at + 1}. ${title.replaceAll(/\s+/gu, " ")}`,
      ...(detail === undefined ? [] : detail.split("\n").map((line) => `   ${line}`)),
    ]),
    "",
  ].join("\n");

/** The steps in order of their lines; a line without a number is a step too. */
export function readPlanText(text: string): PlanStep[] {
  const steps: { title: string; details: string[] }[] = [];
  for (const line of text.split(/\r?\n/u)) {
    if (line.startsWith("#") || line.trim() === "") continue;
    const last = steps.at(-1);
    if (/^\s/u.test(line) && last) last.details.push(line.replace(/^ {1,3}|^\t/u, ""));
    else steps.push({ title: line.trim().replace(/^(?:\d+[.)]|[-*])\s+/u, ""), details: [] });
  }
  return steps.map(({ title, details }) =>
    details.length === 0 ? { title } : { title, detail: details.join("\n") },
  );
}
