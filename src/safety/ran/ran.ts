/**
 * Determines what a person's trust in a command covers: the workspace files it may run, and the parts that cannot be
 * followed.
 */

import { statSync, existsSync } from "node:fs";
import { homedir } from "node:os";
import { relative, resolve, dirname, sep } from "node:path";
import { sha256 } from "../../base/crypto.ts";
import { isWithin } from "../../base/paths.ts";
import { readSmallFile } from "../../base/safe-fs/small-file.ts";
import { shellQuoted } from "../../base/shell-word.ts";
import { judgingBounds } from "../bounds.ts";
import { isExecutable } from "../on-disk.ts";
import { mostFileNames, ranFileBounds } from "./bounds.ts";
import { filesMeant, type NamedFiles, openLooks, type CountedPlace } from "./files.ts";
import { shellAt } from "./shell-at.ts";
import { spokenIn, toldBy } from "./texts.ts";
import { saysWhatIsLoaded, unfollowedParts } from "./unfollowed-parts.ts";
import { piecesOf, variants, type Pieces } from "./words.ts";

/**
 * `path`: relative to the workspace. Without `bytes`, the hash comes from the size and the times of change, or from the
 * read error.
 */
type RunFile = { path: string; hash: string; bytes?: Uint8Array };

/** A command line for a shell, or a program with its arguments. */
type CommandToRun = { type: "line"; line: string } | { type: "program"; command: readonly string[] };

type RunFiles = {
  /** Sorted by path. */
  files: RunFile[];
  /** Directories of which every file counts, ending in "/". */
  whole: string[];
  /** The parts of the command, in its words, that do not reveal which files they load. */
  unfollowed: string[];
};

/** `from`: the start directory, if not the workspace; `variables`: set for the command. */
type RunSurroundings = {
  workspace: string;
  home?: string;
  from?: string;
  variables?: readonly (readonly [name: string, value: string])[];
};

/** Undefined: the command may involve more files than can be checked each time, so nobody can consent to it. */
export function filesRunBy(
  runs: CommandToRun,
  { workspace, from = workspace, home = homedir(), variables = [] }: RunSurroundings,
): RunFiles | undefined {
  const line = runs.type === "line" ? runs.line : runs.command.map(shellQuoted).join(" ");
  if (line.length > judgingBounds.lineText.most) return undefined;
  const pieces = piecesOf(line, shellAt({ home, workspace, directory: from }));
  const named = variables.flatMap(([, value]) => [value, ...value.split(/[\s=:,;]+/u)]);
  const names = new Set([...pieces.names, ...named.flatMap(variants)]);
  if (names.size > mostFileNames) return undefined;
  const place = { workspace, home, from: [from], looks: openLooks() };
  const meant = filesMeant({ ...pieces, names }, place);
  if (!meant) return undefined;
  const further = ranFurther({ pieces, meant }, place);
  const files = readFiles([...new Set([...meant.files, ...further.files])].toSorted(), { workspace, meant });
  if (!files) return undefined;
  const loading = variables.map(([name, value]) => `${name}=${value}`).filter(saysWhatIsLoaded);
  const whole = meant.whole.map((path) => `${relative(workspace, path)}/`).toSorted();
  return { files, whole, unfollowed: [...loading, ...unfollowedParts(pieces, meant), ...further.untold] };
}

/** Undefined: the files are too many or too large. A file that only another file runs may be skipped for its size. */
function readFiles(
  paths: readonly string[],
  { workspace, meant }: { workspace: string; meant: NamedFiles },
): RunFile[] | undefined {
  if (paths.length > ranFileBounds.counted.most) return undefined;
  let space: number = ranFileBounds.countedBytes.most;
  const files: RunFile[] = [];
  for (const path of paths) {
    const file = readOne(path, workspace);
    if (file) files.push(file);
    space -= file?.bytes?.length ?? 0;
    if (space < 0) return undefined;
  }
  return files.filter(({ path, bytes }) => bytes || meant.files.has(resolve(workspace, path)));
}

function readOne(path: string, workspace: string): RunFile | undefined {
  const place = relative(workspace, path);
  const found = readSmallFile(path, ranFileBounds.countedBytes.most);
  if (found.ok) return found.value && { path: place, hash: sha256(found.value), bytes: found.value };
  if (found.problem !== "too-large") return { path: place, hash: found.problem };
  const status = statSync(path, { throwIfNoEntry: false, bigint: true });
  // Anybody can set the time of the content back, and nobody that of the last change.
  return { path: place, hash: `${status?.size} ${status?.mtimeNs} ${status?.ctimeNs}` };
}

/** `untold`: what could not be followed, with the file that contains it. */
type Further = { files: ReadonlySet<string>; untold: string[] };
type FollowedRun = { pieces: Pieces; meant: NamedFiles };

/** Breadth first and within bounds; each file once (task files once per set of words). */
function ranFurther(start: FollowedRun, place: CountedPlace): Further {
  const files = new Set<string>();
  const untold: string[] = [];
  let left: number = ranFileBounds.followed.most;
  const seen = new Set<string>();
  let next = stepsFrom(start);
  while (next.length > 0) {
    const steps = next.filter(({ key }) => !seen.has(key) && seen.add(key));
    const followed = steps.slice(0, left);
    left -= followed.length;
    for (const { path } of steps.slice(followed.length))
      untold.push(`${relative(place.workspace, path)}: all that it runs`);
    const found = followed.map((step) => follow(step, place));
    for (const one of found) for (const path of one.files) files.add(path);
    untold.push(...found.flatMap((one) => one.untold));
    next = found.flatMap((one) => one.next);
  }
  return { files, untold: [...new Set(untold)] };
}

/** A file that is run, its possible start directories, and the words of the command that runs it. */
type RunStep = { path: string; from: readonly string[]; words: ReadonlySet<string>; key: string };

function stepsFrom({ pieces, meant }: FollowedRun): RunStep[] {
  const words = new Set(pieces.parts.flatMap((part) => part.words));
  return [...meant.ran].filter(isOwn).map((path) => stepTo(path, meant.bases, words));
}

function stepTo(path: string, from: readonly string[], words: ReadonlySet<string>): RunStep {
  const isOfTasks = path.endsWith(".json");
  return { path, from, words, key: isOfTasks ? `${path}\n${[...words].toSorted().join("\n")}` : path };
}

/** Files of installed packages are not followed: they change only with an install. */
const isOwn = (path: string): boolean => !path.split(sep).includes("node_modules");

type FollowState = Further & { next: RunStep[] };

function follow({ path, from, words }: RunStep, place: CountedPlace): FollowState {
  const shown = relative(place.workspace, path);
  const nothing = (why?: string): FollowState => ({
    files: new Set(),
    next: [],
    untold: why === undefined ? [] : [`${shown}: ${why}`],
  });
  const read = readSmallFile(path, ranFileBounds.followedText.most);
  if (!read.ok) return nothing("all that it runs");
  const text = new TextDecoder().decode(read.value ?? new Uint8Array());
  const directory = dirname(path);
  const started = programsAmong(spokenIn(path, text), { ...place, from: [directory, ...from] });
  const stepsOn = started.filter(isOwn).map((one) => stepTo(one, from, words));
  const told = toldBy(path, text, words);
  if (!told) return { ...nothing("all that it runs"), files: new Set(started), next: stepsOn };
  const loaded = told.names.flatMap((name) => moduleAt(resolve(directory, name), place));
  const lines = told.lines.map((line) =>
    followLine(line, { place: { ...place, from: [directory, ...from] }, script: path }),
  );
  const left = lines.flatMap(({ untold }) => untold);
  return {
    files: new Set([...started, ...loaded, ...lines.flatMap((line) => [...line.files])]),
    next: [
      ...stepsOn,
      ...loaded.filter(isOwn).map((one) => stepTo(one, from, words)),
      ...lines.flatMap((line) => line.next),
    ],
    untold: left.length > 0 ? [`${shown}: ${inWords(left)}`] : [],
  };
}

const mostNamed = 4;
const inWords = (parts: readonly string[]): string => {
  const more = parts.length - mostNamed;
  return [...parts.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
};

function followLine(line: string, { place, script }: { place: CountedPlace; script: string }): FollowState {
  const [directory = place.workspace, ...from] = place.from;
  const start = from[0] ?? directory;
  const pieces = piecesOf(
    line,
    shellAt({ home: place.home, workspace: place.workspace, directory: start }, script),
  );
  const meant = pieces.names.size > mostFileNames ? undefined : filesMeant(pieces, place);
  if (!meant) return { files: new Set(), next: [], untold: ["all that it runs"] };
  return { files: meant.files, next: stepsFrom({ pieces, meant }), untold: unfollowedParts(pieces, meant) };
}

const endings = ["", ".js", ".cjs", ".mjs", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".json", ".py"];
const wholes = ["/index.js", "/index.ts", "/index.mjs", "/__init__.py"];

/** The files that a module path may resolve to; `./x.js` may stand for `./x.ts`. */
function moduleAt(path: string, { workspace, looks }: CountedPlace): string[] {
  const typed = path.replace(/\.([cm]?)js$/u, ".$1ts");
  const candidates = new Set([...[...endings, ...wholes].map((end) => path + end), typed]);
  looks.left -= candidates.size;
  if (looks.left < 0) return [];
  return [...candidates].filter((one) => isWithin(workspace, one) && isFile(one));
}

/** A word names a program only if its file looks like one: a script's own log must not count. */
function programsAmong(spoken: readonly string[], { workspace, from, looks }: CountedPlace): string[] {
  const bases = new Set([workspace, ...from]);
  const candidates = new Set(
    spoken
      .filter((word) => /[./]/u.test(word))
      .flatMap((word) => [...bases].map((base) => resolve(base, word))),
  );
  looks.left -= candidates.size;
  if (looks.left < 0) return [];
  return [...candidates].filter((one) => isWithin(workspace, one) && isFile(one) && isProgram(one));
}

const isProgram = (path: string): boolean =>
  /\.(?:(?:ba|da|k|z|fi)?sh|[cm]?[jt]sx?|py|rb|pl|php|lua|awk)$/u.test(path) || isExecutable(path);

const isFile = (path: string): boolean =>
  existsSync(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
