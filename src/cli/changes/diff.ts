/**
 * `toolwright diff` and `toolwright checkpoints`: show what requests changed, without disturbing a process that has the
 * session open.
 */

import type { Expected } from "../../base/expected.ts";
import { jsonLine } from "../../base/json-lines.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { type ChangeSelection, readAsked } from "../../configuration/options/change-selection.ts";
import { type Checkpoint, checkpointsOf } from "../../protocol/fold-changes.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import { uncoveredIn, uncoveredSentence } from "../../protocol/uncovered-changes.ts";
import { readSession, type ReadSession, type Review } from "../../runtime/read-session.ts";
import { styleFor } from "../../view/plain.ts";
import { type ReviewContext, reviewLines, statusWords } from "../../view/review.ts";
import { shownText } from "../../view/shown-text.ts";
import { columns, exitCodes, type CliContext, type CommandWords, printAnswer } from "../cli-context.ts";
import { ageInWords } from "../sessions/table.ts";
import { refuse } from "../sessions/words.ts";
import { isAmong, whichOf } from "./changes-asked.ts";
import { earlierSession } from "./earlier-session.ts";
import { patchText } from "./patch.ts";

/** A readable diff on a terminal, else a patch. */
export async function runDiff(context: CliContext, { words, flags }: CommandWords): Promise<number> {
  const { terminal, settings } = context;
  const asked = readAsked(words, flags);
  if (!asked.ok) return refuse(context, asked.problem, exitCodes.usage);
  const shown = await readSession(settings, async (session) => {
    const found = await reviewAsked(asked.value, session);
    const review = found.ok ? { ...found, value: await present(found.value, session, context) } : found;
    return { review, state: session.state };
  });
  if (!shown.ok) return refuse(context, shown.problem, exitCodes.failed);
  const { review, state } = shown.value;
  if (!review.ok) {
    const sought = { command: "diff", statuses: shownStatuses, asked: asked.value, flags };
    const hint = await earlierSession(settings, state, sought);
    return refuse(context, review.problem + hint, exitCodes.failed);
  }
  terminal.print(review.value);
  return exitCodes.done;
}

const shownStatuses = ["pending", "partial", "undone", "kept"] as const;

/** Reviews a turn, limited to the given files if there are any. */
export async function reviewAsked(
  asked: ChangeSelection,
  session: Pick<ReadSession, "state" | "review">,
): Promise<Expected<Review>> {
  const which = whichOf(asked, session.state, shownStatuses);
  if (!which.ok) return which;
  const { turn, paths } = which.value;
  const review = await session.review(turn);
  if (!review.ok || !paths) return review;
  const strange = paths.find((place) => !changedAt(review.value, [place]));
  if (strange !== undefined)
    return { ok: false, problem: `Request ${review.value.turn} did not change ${strange}.` };
  const [files, directories] = [
    review.value.files.filter(({ path }) => isAmong(path, paths)),
    review.value.directories.filter(({ path }) => isAmong(path, paths)),
  ];
  return { ok: true, value: { ...review.value, files, directories } };
}

const changedAt = ({ files, directories }: Review, places: readonly string[]): boolean =>
  [...files, ...directories].some(({ path }) => isAmong(path, places));

async function present(
  review: Review,
  session: ReadSession,
  { terminal, settings }: CliContext,
): Promise<string> {
  const uncovered = uncoveredIn(session.state, review.turn);
  if (settings.output !== "text")
    return `${jsonLine({ session: session.state.session, checkpoint: { ...review, uncovered } })}\n`;
  if (!terminal.outputIsTerminal)
    return (
      uncovered.map((words) => `# undo does not cover: ${visibleLine(words)}\n`).join("") +
      (await patchText(review, session))
    );
  const style = styleFor(terminal.env, true);
  return `${reviewLines(review, style, aboutTurn(session.state, review.turn)).join("\n")}\n`;
}

/** Facts about the turn that the review itself lacks. */
export const aboutTurn = (state: SessionState, turn: number): ReviewContext => ({
  said: saidIn(state, turn),
  uncovered: uncoveredIn(state, turn),
});

/** Lists checkpoints, newest first. */
export async function runCheckpoints(context: CliContext): Promise<number> {
  const read = await readSession(context.settings, async ({ state }) => state);
  if (!read.ok) return refuse(context, read.problem, exitCodes.failed);
  const { session } = read.value;
  const checkpoints = changingCheckpoints(read.value);
  return printAnswer(context, { session, checkpoints }, () =>
    checkpointLines(read.value, Date.now()).join("\n"),
  );
}

/** Checkpoints of requests that changed something, newest first. */
const changingCheckpoints = (state: SessionState): Checkpoint[] =>
  checkpointsOf(state)
    .filter(({ files, directories }) => files.length + directories.length > 0)
    .toReversed();

export function noChanges(state: SessionState): string {
  const uncovered = uncoveredSentence(state);
  const what = uncovered === "" ? "changed files" : "made changes that can be undone";
  return `No request of session ${state.session} ${what}.${uncovered}`;
}

export function checkpointLines(state: SessionState, now: number): string[] {
  const checkpoints = changingCheckpoints(state);
  if (checkpoints.length === 0) return [visibleLine(noChanges(state))];
  const rows = checkpoints.map((checkpoint) => [
    String(checkpoint.turn),
    ageInWords(now - checkpoint.startedAt),
    statusWords(checkpoint),
    `+${checkpoint.added} −${checkpoint.removed}`,
    String(checkpoint.files.length),
    shortWords(saidIn(state, checkpoint.turn)),
  ]);
  return columns([["request", "age", "status", "lines", "files", "what was asked"], ...rows]);
}

const mostWords = 36;
const shortWords = (words: string): string =>
  words.length <= mostWords ? words : `${words.slice(0, mostWords - 1).trimEnd()}…`;

/** The first line of the request. */
function saidIn({ turns }: SessionState, turn: number): string {
  const request = turns.find((known) => known.turn === turn)?.request ?? [];
  const said = request.flatMap((part) => (part.type === "text" ? [shownText(part)] : [])).join("\n");
  return visibleLine(said.trim().split("\n")[0] ?? "");
}
