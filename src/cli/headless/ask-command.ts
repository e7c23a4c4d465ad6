/** `--ask-on COMMAND`: a question starts a command of the person's own, which reads it and prints the answer. */

import { realpathSync, statSync } from "node:fs";
import { durationInWords } from "../../base/amounts.ts";
import { figureOf } from "../../base/bound.ts";
import { otherProgramBounds } from "../../base/bounds.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { parseObject } from "../../base/json.ts";
import { isWithin } from "../../base/paths.ts";
import { type ProcessOutcome, runProcess } from "../../base/process.ts";
import { plainOutput } from "../../base/terminal/plain-text.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { pathOf } from "../../configuration/setting-values.ts";
import type { LiveSession } from "../../runtime/live-session.ts";
import type { ProcessTerminal } from "../../tui/process-terminal.ts";
import type { OpenQuestion } from "../../view/person-questions.ts";
import type { AnswerToQuestion } from "../../view/question-forms.ts";
import { cliBounds } from "../bounds.ts";
import { type CliContext } from "../cli-context.ts";
import type { Answerer } from "./answering.ts";
import { runVersion } from "./run-version.ts";

const { answer: askTime } = cliBounds;
const { output: longest } = otherProgramBounds;

/**
 * Why the command may not answer: the model could change a file of the workspace, and so answer for itself. Finds files
 * that are named plainly, which is how it happens by mistake.
 */
export function askCommandProblem(
  command: string,
  { cwd, env }: Pick<ProcessTerminal, "cwd" | "env">,
  workspace: string,
): string | undefined {
  const inside = command
    .split(/[\s'"`;|&()<>=]+/u)
    .filter((word) => word !== "")
    .find((word) => isFileIn(pathOf(word, cwd, env) ?? word, workspace));
  return inside === undefined
    ? undefined
    : `--ask-on runs ${inside}, which is in the workspace, where the model could change it: keep it elsewhere`;
}

function isFileIn(path: string, workspace: string): boolean {
  try {
    const tree = realpathSync(workspace);
    return statSync(path).isFile() && (isWithin(tree, realpathSync(path)) || isWithin(workspace, path));
  } catch {
    return false; // it is no path, or nothing is there
  }
}

type QuestionCommand = { command: string; session: LiveSession; signal: AbortSignal };

/** A command that fails, says nothing or does not end is a no, with the reason. */
export function askingCommand(
  { terminal, settings }: CliContext,
  { command, session, signal }: QuestionCommand,
): Answerer {
  return async (question) => {
    const ran = await runProcess({
      command: ["/bin/sh", "-c", command],
      cwd: terminal.cwd,
      env: terminal.env,
      input: new TextEncoder().encode(`${JSON.stringify(questionJson(question, session))}\n`),
      signal,
      wallMs: askTime.most,
      maxOutput: longest.most,
      maxKeep: longest.most,
      keepErrors: longest.most,
      guarded: true,
    });
    const answer = await answerIn(ran, question);
    if (answer.ok) return answer.value;
    // The text output shows the no with its reason, except at a limit.
    if (settings.output !== "text" || question.type === "limit-asked")
      terminal.report(`! --ask-on gave no answer, which is a no: ${visibleLine(answer.problem)}\n`);
    return { refused: `the command of --ask-on failed: ${answer.problem}` };
  };
}

const questionJson = (question: OpenQuestion, { id, state }: LiveSession) => ({
  ...question,
  version: runVersion,
  session: id,
  workspace: state.workspace,
});

async function answerIn(ran: ProcessOutcome, question: OpenQuestion): Promise<Expected<AnswerToQuestion>> {
  const failure = failureOf(ran);
  if (failure !== undefined) return refuse(failure);
  const said = new TextDecoder().decode(ran.output.bytes);
  const parsed = parseObject(said);
  if (!parsed.ok) return refuse(`it did not print one JSON object (${parsed.problem})`);
  const { readAnswer } = await import("./input-command.ts");
  return readAnswer(parsed.value, question, "--ask-on");
}

function failureOf({ problem, cancelled, timedOut, flooded, exit, signal, errors, output }: ProcessOutcome) {
  if (problem !== undefined) return problem;
  if (cancelled) return "it was stopped";
  if (timedOut) return `it had not answered after ${durationInWords(askTime.most)}`;
  if (flooded) return `it printed more than ${figureOf(longest)}`;
  const complaint = plainOutput(new TextDecoder().decode(errors?.bytes)).trim();
  if (exit !== 0)
    return `it ended with ${exit === undefined ? signal : `exit code ${exit}`}${complaint === "" ? "" : `: ${complaint.slice(0, mostSaid).toWellFormed()}`}`;
  return output.total === 0 ? "it printed nothing" : undefined;
}

/** Characters of what a failing command says. */
const mostSaid = 500;
