/**
 * Follows the files that a command runs to what those run or load in turn: scripts of package.json, sourced files, and
 * so on.
 */

import { existsSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { isWithin } from "../../base/paths.ts";
import { readSmallFile } from "../../base/safe-fs/small-file.ts";
import { isExecutable } from "../on-disk.ts";
import { ranFileBounds, mostFileNames } from "./bounds.ts";
import { type CountedPlace, filesMeant, type NamedFiles } from "./files.ts";
import { shellAt } from "./shell-at.ts";
import { spokenIn, toldBy } from "./texts.ts";
import { unfollowedParts } from "./unfollowed-parts.ts";
import { type Pieces, piecesOf } from "./words.ts";

/** `untold`: what could not be followed, with the file that contains it. */
type Further = { files: ReadonlySet<string>; untold: string[] };
type FollowedRun = { pieces: Pieces; meant: NamedFiles };

/** Breadth first and within bounds; each file once (task files once per set of words). */
export function ranFurther(start: FollowedRun, place: CountedPlace): Further {
  const files = new Set<string>();
  const untold: string[] = [];
  let left: number = ranFileBounds.followed.most;
  const seen = new Set<string>();
  let next = stepsFrom(start);
  for (let at = 0; next.length > 0; at += 1) {
    const steps = next.filter(({ key }) => !seen.has(key) && seen.add(key));
    const followed = at < ranFileBounds.steps.most ? steps.slice(0, left) : [];
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
