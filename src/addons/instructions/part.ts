/**
 * Instruction files as a session has them: those of the workspace in its system prompt, nested ones once they matter.
 */

import { dirname, join } from "node:path";
import type { Fact, FactOf } from "../../protocol/facts.ts";
import { addedKey, currentTurn, type SessionState } from "../../protocol/session-state.ts";
import type { AddonRoom, OpenPart } from "../part.ts";
import { applyingIn, directoriesAbove, filesOf, globalFiles, isThere, signature } from "./places.ts";
import type { InstructionsRoom, ReadInstructions } from "./read.ts";

const reading = () => import("./read.ts");

/** `isSecret`: whether a file of this name holds secrets. */
export const openInstructions =
  ({ isSecret }: Pick<InstructionsRoom, "isSecret">): OpenPart =>
  (room) => {
    const own: Own = { room, place: { ...room, isSecret }, tried: new Map() };
    return {
      async beforeAsk(state) {
        const facts = await whatHolds(own, state);
        await tellSize(own, facts[0]?.files ?? state.instructions);
        return [...facts, ...(await nested(own, state))];
      },
    };
  };

type Own = {
  room: Pick<AddonRoom, "warn" | "window" | "parent">;
  place: InstructionsRoom;
  /** The turn in which it was looked last, and what was there. */
  turn?: number;
  last?: { looked: readonly string[]; signature: string };
  /** Directories whose files could not be told, with what was there then. */
  tried: Map<string, string>;
  /** The window and the files for which the size was looked at last. */
  weighed?: string;
  /** People were told that there is much to read. */
  isTold?: true;
};

/** Before a turn's first answer: read again only where a file has come, gone or changed. */
async function whatHolds(own: Own, state: SessionState): Promise<FactOf<"instructions-read">[]> {
  if (own.turn === state.turn) return [];
  own.turn = state.turn;
  const wanted = wantedFiles(own.place);
  if (wanted.length === 0 && state.instructions.length === 0) return [];
  const looked = [...new Set([...wanted, ...(own.last?.looked ?? [])])];
  if (own.last && own.last.signature === signatureOf(looked)) return [];
  const read = await (await reading()).readInstructions(own.place);
  own.last = { looked: read.looked, signature: signatureOf([...new Set([...wanted, ...read.looked])]) };
  tell(own, read);
  return isSame(read.files, state.instructions) ? [] : [{ type: "instructions-read", files: read.files }];
}

const wantedFiles = (place: InstructionsRoom): string[] => [
  ...globalFiles(place).filter(isThere).slice(0, 1),
  ...directoriesAbove(place).flatMap((directory) => filesOf(directory).map((name) => join(directory, name))),
  ...applyingIn(place.workspace),
];

const signatureOf = (paths: readonly string[]): string =>
  paths.map((path) => `${path} ${signature(path)}`).join("\n");

const isSame = (some: SessionState["instructions"], others: SessionState["instructions"]): boolean =>
  some.length === others.length &&
  some.every(({ path, text }, at) => others[at]?.path === path && others[at].text === text);

function tell({ room }: Own, { problems }: Pick<ReadInstructions, "problems">): void {
  for (const problem of problems) room.warn("instructions", problem);
}

/** Once: those who gave a subagent its task know it already. */
async function tellSize(own: Own, files: SessionState["instructions"]): Promise<void> {
  const { room, isTold } = own;
  if (isTold || room.parent !== undefined || files.length === 0) return;
  const window = room.window?.();
  const weighed = `${window?.tokens} ${own.last?.signature}`;
  if (!window || own.weighed === weighed) return;
  own.weighed = weighed;
  const { sizeWarning } = await import("./size.ts");
  const words = sizeWarning(files, window);
  if (words === undefined) return;
  own.isTold = true;
  room.warn("instructions-size", words);
}

/** For the files that the last answer's calls have read or changed: what the directories above them say, once. */
async function nested(own: Own, state: SessionState): Promise<Fact[]> {
  const paths = pathsTouched(state);
  if (paths.length === 0) return [];
  const told: ReadInstructions["files"] = [];
  const isNew = (path: string): boolean => !state.added.has(addedKey({ from: "instructions", name: path }));
  const facts: Fact[] = await ofKind(own, paths, isNew);
  for (const directory of directoriesOf(paths)) {
    const absolute = join(own.place.workspace, directory);
    const there = filesOf(absolute).map((name) => join(directory, name));
    const now = signatureOf(there.map((path) => join(own.place.workspace, path)));
    const attempt = `${state.compactions} ${now}`;
    if (!there.some(isNew) || own.tried.get(directory) === attempt) continue;
    const read = await (await reading()).readNested(absolute, own.place, [...state.instructions, ...told]);
    tell(own, read);
    const fresh = read.files.filter(({ path }) => isNew(path));
    if (fresh.length === 0) own.tried.set(directory, attempt);
    told.push(...fresh);
    facts.push(...fresh.map((file) => added(file, `what is in ${directory}`)));
  }
  return facts;
}

/** What holds for files of a kind, whatever directory they are in. */
async function ofKind(
  { place }: Own,
  paths: readonly string[],
  isNew: (path: string) => boolean,
): Promise<Fact[]> {
  if (applyingIn(place.workspace).length === 0) return [];
  const files = await (await reading()).readForFiles(paths, place);
  return files.filter(({ path }) => isNew(path)).map((file) => added(file, "files like the last ones"));
}

const added = ({ path, text }: { path: string; text: string }, what: string): Fact => ({
  type: "context-added",
  from: "instructions",
  name: path,
  text: `Instructions for ${what} (${path}):\n\n${text}`,
});

/** Of others' packages: what those tell agents is not for us. */
const foreign = /(?:^|\/)(?:\.git|node_modules|vendor|site-packages|\.venv)(?:\/|$)/u;

function pathsTouched(state: SessionState): string[] {
  const found = new Set<string>();
  for (const id of currentTurn(state)?.lastCalls ?? []) {
    const { result, applied } = state.calls.get(id) ?? {};
    for (const { path } of [...(result?.seen ?? []), ...(applied?.changes ?? [])]) found.add(path);
  }
  return [...found];
}

/** Relative to the workspace, outermost first, without the workspace itself. */
function directoriesOf(paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths)
    for (let at = dirname(path); at !== "." && at !== "/" && !at.startsWith(".."); at = dirname(at))
      found.add(at);
  return [...found].filter((one) => !foreign.test(one)).toSorted((one, other) => one.length - other.length);
}
