/**
 * Gives a session its instruction files: the workspace's in the system prompt, nested ones when their directory is
 * first used.
 */

import { dirname, join } from "node:path";
import { stateOfFiles } from "../../base/safe-fs/small-file.ts";
import type { Fact, FactOf } from "../../protocol/facts.ts";
import { addedKey, currentTurn, type SessionState } from "../../protocol/session-state.ts";
import type { AddonContext, AddonOpener, AddonDirectories } from "../part.ts";
import { applyingIn, directoriesAbove, filesOf, globalFiles, isThere } from "./places.ts";
import type { ReadInstructions } from "./read-instructions.ts";

const reading = () => import("./read-instructions.ts");

export const openInstructions: AddonOpener = (context) => {
  const own: Own = { context, place: context, tried: new Map() };
  return {
    async beforeAsk(state) {
      const facts = await whatHolds(own, state);
      await tellSize(own, facts[0]?.files ?? state.instructions);
      return [...facts, ...(await nestedFacts(own, state))];
    },
  };
};

type Own = {
  context: Pick<AddonContext, "warn" | "window" | "parent">;
  place: AddonDirectories;
  /** The turn of the last check, and the state it found. */
  turn?: number;
  last?: { looked: readonly string[]; signature: string };
  /** Directories whose files yielded nothing to add, with their state at that time. */
  tried: Map<string, string>;
  /** The window and files for which the total size was last checked. */
  weighed?: string;
  /** People were already warned about the total size. */
  isTold?: true;
};

/** Runs before a turn's first answer; rereads only if a file was added, removed or changed. */
async function whatHolds(own: Own, state: SessionState): Promise<FactOf<"instructions-read">[]> {
  if (own.turn === state.turn) return [];
  own.turn = state.turn;
  const wanted = wantedFiles(own.place);
  if (wanted.length === 0 && state.instructions.length === 0) return [];
  const looked = [...new Set([...wanted, ...(own.last?.looked ?? [])])];
  if (own.last && own.last.signature === stateOfFiles(looked)) return [];
  const read = await (await reading()).readInstructions(own.place);
  own.last = { looked: read.looked, signature: stateOfFiles([...new Set([...wanted, ...read.looked])]) };
  tell(own, read);
  return isSame(read.files, state.instructions) ? [] : [{ type: "instructions-read", files: read.files }];
}

const wantedFiles = (place: AddonDirectories): string[] => [
  ...globalFiles(place).filter(isThere).slice(0, 1),
  ...directoriesAbove(place).flatMap((directory) => filesOf(directory).map((name) => join(directory, name))),
  ...applyingIn(place.workspace),
];

const isSame = (some: SessionState["instructions"], others: SessionState["instructions"]): boolean =>
  some.length === others.length &&
  some.every(({ path, text }, at) => others[at]?.path === path && others[at].text === text);

function tell({ context }: Own, { problems }: Pick<ReadInstructions, "problems">): void {
  for (const problem of problems) context.warn("instructions", problem);
}

/** Warns once, and not for subagents: whoever delegated the task was already warned. */
async function tellSize(own: Own, files: SessionState["instructions"]): Promise<void> {
  const { context, isTold } = own;
  if (isTold || context.parent !== undefined || files.length === 0) return;
  const window = context.window?.();
  const weighed = `${window?.tokens} ${own.last?.signature}`;
  if (!window || own.weighed === weighed) return;
  own.weighed = weighed;
  const { sizeWarning } = await import("./size.ts");
  const words = sizeWarning(files, window);
  if (words === undefined) return;
  own.isTold = true;
  context.warn("instructions-size", words);
}

/** Adds, once, the instructions of the directories above the files that the last answer's calls read or changed. */
async function nestedFacts(own: Own, state: SessionState): Promise<Fact[]> {
  const paths = pathsTouched(state);
  if (paths.length === 0) return [];
  const told: ReadInstructions["files"] = [];
  const isNew = (path: string): boolean => !state.added.has(addedKey({ from: "instructions", name: path }));
  const facts: Fact[] = await ofKind(own, paths, isNew);
  for (const directory of directoriesOf(paths)) {
    const absolute = join(own.place.workspace, directory);
    const there = filesOf(absolute).map((name) => join(directory, name));
    const now = stateOfFiles(there.map((path) => join(own.place.workspace, path)));
    const attempt = `${state.compactions} ${now}`;
    if (!there.some(isNew) || own.tried.get(directory) === attempt) continue;
    const read = await (await reading()).readNested(absolute, own.place, [...state.instructions, ...told]);
    tell(own, read);
    const fresh = read.files.filter(({ path }) => isNew(path));
    if (fresh.length === 0) own.tried.set(directory, attempt);
    told.push(...fresh);
    facts.push(...fresh.map((file) => contextFact(file, `what is in ${directory}`)));
  }
  return facts;
}

/** Instructions that apply by pattern, in any directory. */
async function ofKind(
  { place }: Own,
  paths: readonly string[],
  isNew: (path: string) => boolean,
): Promise<Fact[]> {
  if (applyingIn(place.workspace).length === 0) return [];
  const files = await (await reading()).readForFiles(paths, place);
  return files.filter(({ path }) => isNew(path)).map((file) => contextFact(file, "files like the last ones"));
}

const contextFact = ({ path, text }: { path: string; text: string }, what: string): Fact => ({
  type: "context-added",
  from: "instructions",
  name: path,
  text: `Instructions for ${what} (${path}):\n\n${text}`,
});

/** Third-party packages: their instructions to agents are not meant for this workspace. */
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
