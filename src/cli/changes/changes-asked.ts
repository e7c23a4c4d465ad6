/** Parses which changes a person selects: "3 src/a.ts --hunk 1,2", on the command line or in a conversation. */

import { relative, resolve, sep } from "node:path";
import type { Expected } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";
import { parseArguments } from "../../configuration/options/arguments.ts";
import { waysOnConflict } from "../../configuration/options/option-choices.ts";
import type { Values } from "../../configuration/options/options.ts";
import type { UndoCommand } from "../../protocol/commands.ts";
import { checkpointId, type Status, statusOf, trailsOf } from "../../protocol/fold-changes.ts";
import type { SessionState } from "../../protocol/session-state.ts";

/** The selection as typed. `turn` is a number or a checkpoint id; `paths` are not resolved yet. */
export type ChangeSelection = {
  turn?: string;
  paths: string[];
} & Pick<UndoCommand, "hunks" | "onConflict">;

/** The resolved selection for a command; `paths` are workspace-relative, absent for all. */
export type ResolvedSelection = Pick<UndoCommand, "turn" | "paths">;

/** A number or a checkpoint id is a turn, everything else a path; write "./5" for a file named 5. */
export function readAsked(words: readonly string[], flags: Values): Expected<ChangeSelection> {
  const turns = words.filter(isTurn);
  const paths = words.filter((word) => !isTurn(word));
  const [turn, second] = turns;
  if (second !== undefined)
    return problem(`Only one request at a time: ${turn} or ${second}? A file of that name is ./${second}.`);
  if (turn !== undefined && /^0+$/u.test(turn)) return problem("Requests are numbered from 1.");
  if (paths.includes("")) return problem("A path is empty: name a file, or leave it out to mean all.");
  const hunks = readHunks(flags.hunk);
  if (!hunks.ok) return hunks;
  if (hunks.value && paths.length > 1)
    return problem(`--hunk is of one file, and these are ${paths.length}: undo them one by one.`);
  const onConflict = waysOnConflict.find((way) => way === flags.conflict);
  return {
    ok: true,
    value: {
      turn,
      paths,
      ...(hunks.value ? { hunks: hunks.value } : {}),
      onConflict,
    },
  };
}

/** The same for the rest of a line in a conversation, where quotes group a path with spaces. */
export function readAskedLine(
  command: "diff" | "undo" | "redo" | "keep",
  rest: string,
): Expected<ChangeSelection> {
  const words = splitWords(rest);
  if (!words.ok) return words;
  const parsed = parseArguments([command, ...words.value], {});
  if (!parsed.ok) return problem(inConversation(parsed.problem));
  const { flags } = parsed.value;
  const strange = Object.keys(flags).find((name) => name !== "hunk" && name !== "conflict");
  if (strange !== undefined) return problem(`/${command} takes no option --${strange}.`);
  return readAsked(parsed.value.words, flags);
}

const inConversation = (words: string): string =>
  words.replace(/: see toolwright --help$/u, ": /help lists the commands").replaceAll("toolwright ", "/");

/** Names the turn if the person did not: by the time of the retry another one may be the newest. */
export const turnAgain = ({ turn }: ChangeSelection, meant: number): string[] =>
  turn === undefined ? [String(meant)] : [];

const isTurn = (word: string): boolean => /^(?:\d+|ckpt_\w+)$/u.test(word);

/** At most nine digits, which is more hunks than any file has. */
function readHunks(value: Values["hunk"]): Expected<number[] | undefined> {
  if (typeof value !== "string") return { ok: true, value: undefined };
  const numbers = value.split(",").map((word) => word.trim());
  if (numbers.every((word) => /^0*[1-9]\d{0,8}$/u.test(word)))
    return { ok: true, value: [...new Set(numbers.map(Number))] };
  return problem(
    `--hunk must be hunks by their numbers, such as 2 or 1,3, not ${JSON.stringify(value)}: toolwright diff numbers them from 1.`,
  );
}

/**
 * Looks up the turn and makes the paths workspace-relative. Without a turn, takes the newest one whose changes at these
 * paths have one of the statuses, else the newest that changed anything there.
 */
export function whichOf(
  asked: ChangeSelection,
  state: SessionState,
  statuses: readonly Status[],
): Expected<ResolvedSelection> {
  const named = asked.turn === undefined ? undefined : findTurn(asked.turn, state);
  if (named?.ok === false) return named;
  const places = placesOf(asked.paths, state);
  if (!places.ok) return places;
  const paths = places.value;
  const turn = named?.value ?? newestAt(paths, state, statuses) ?? newestAt(paths, state);
  if (turn === undefined && paths)
    return problem(`No request of session ${state.session} changed ${asked.paths.join(" or ")}.`);
  return { ok: true, value: { turn, paths } };
}

/** Undefined selects everything. */
function placesOf(paths: readonly string[], { workspace }: SessionState): Expected<string[] | undefined> {
  const places = paths.map((path) => placeIn(path, workspace));
  const outside = places.indexOf(undefined);
  if (outside !== -1)
    return problem(`${paths[outside]} lies outside the workspace of the session (${workspace}).`);
  const inside = places.filter((place) => place !== undefined);
  return { ok: true, value: inside.length === 0 || inside.includes("") ? undefined : inside };
}

/** The newest turn with changes of these statuses, or any, at these paths. */
export function newestAt(
  paths: readonly string[] | undefined,
  { turns, changes }: SessionState,
  statuses?: readonly Status[],
): number | undefined {
  return turns.findLast(({ turn }) =>
    trailsOf(changes, turn).some(
      (trail) => (statuses?.includes(statusOf(trail)) ?? true) && isAmong(trail.path, paths),
    ),
  )?.turn;
}

/** Whether the path is one of the places or lies inside one. */
export const isAmong = (path: string, places: readonly string[] | undefined): boolean =>
  places === undefined || places.some((place) => path === place || path.startsWith(`${place}/`));

function findTurn(wanted: string, state: SessionState): Expected<number> {
  const isNumber = /^\d+$/u.test(wanted);
  const found = state.turns.find(({ turn }) =>
    isNumber ? turn === Number(wanted) : checkpointId(state, turn) === wanted,
  );
  if (found) return { ok: true, value: found.turn };
  const count = state.turns.length;
  const has = count === 0 ? "it has none yet" : count === 1 ? "it has one" : `it has ${count}`;
  return isNumber
    ? problem(`There is no request ${wanted} in session ${state.session}: ${has}.`)
    : problem(
        `There is no checkpoint ${wanted} in session ${state.session}: name its session with --resume.`,
      );
}

/** Workspace-relative; "" for the workspace itself, undefined outside it. */
function placeIn(path: string, workspace: string): string | undefined {
  const absolute = resolve(workspace, path);
  return isWithin(workspace, absolute) ? relative(workspace, absolute).split(sep).join("/") : undefined;
}

/** Splits at blanks, except inside quotes. */
export function splitWords(text: string): Expected<string[]> {
  const words: string[] = [];
  const pattern = /\s+|((?:[^\s"']+|"[^"]*"|'[^']*')+)/uy;
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const found = pattern.exec(text);
    if (!found) return problem(`A quote is not closed: ${text.slice(at)}`);
    if (found[1] !== undefined)
      words.push(
        found[1].replaceAll(
          /"([^"]*)"|'([^']*)'/gu,
          (_, double?: string, single?: string) => double ?? single ?? "",
        ),
      );
  }
  return { ok: true, value: words };
}

const problem = (words: string): { ok: false; problem: string } => ({ ok: false, problem: words });
