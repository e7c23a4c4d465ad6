/** What a command is in the file system: its paths behind symbolic links, and programs that the workspace brings along. */
import { accessSync, constants, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isWithin } from "../base/paths.ts";
import { literal } from "./command-line/word.ts";
import type { Around } from "./dangers/program.ts";
import { fileFinding } from "./judge/file-findings.ts";
import { placeOf } from "./judge/place.ts";
import { leavesWorkspace } from "./judge/summary.ts";
import { type CommandPart, type Finding, gravest, type Judgement, type Touched } from "./judgement.ts";

/** `path` is the PATH that programs are looked up by. */
export type CommandPlace = { around: Around; path: string };

/** More paths than this are not looked up: a command that names so many is taken for one that leads anywhere. */
const mostPaths = 200;

/** The judgement with what its words did not tell. Looks, but opens nothing. */
export function judgeReach(judgement: Judgement, { around, path }: CommandPlace): Judgement {
  const links = judgement.touched.slice(0, mostPaths).flatMap(linkAt);
  const odd = judgement.touched.filter(({ access, path: file }) => access === "read" && isOddFile(file));
  const shadowed = judgement.parts.some(({ argv }) => isOfWorkspace(argv?.[0], { around, path }));
  const findings = links.flatMap(({ touched, real }) => findingBehind(touched, real, around));
  const isLost = judgement.touched.length > mostPaths;
  if (links.length === 0 && odd.length === 0 && !shadowed && !isLost) return judgement;
  const touched = [...judgement.touched, ...links.map((link) => ({ ...link.touched, path: link.real }))];
  const leaves = touched.filter((one) => leavesWorkspace(one, around));
  return {
    ...withFindings(judgement, findings),
    touched,
    // A FIFO or a device may never end.
    onlyReads: judgement.onlyReads && findings.length === 0 && odd.length === 0 && !shadowed && !isLost,
    leavesWorkspace: judgement.leavesWorkspace || leaves.length > 0,
    destroysOutside: judgement.destroysOutside || leaves.some(({ access }) => access === "delete"),
  };
}

type Link = { touched: Touched; real: string };

/** Where a path leads, if that is another place than it says. Removing a link leaves what it names. */
function linkAt(touched: Touched): Link[] {
  const { path, access } = touched;
  if (!path.startsWith("/") || /[*?[…]/u.test(path)) return [];
  const real = access === "delete" ? join(realOf(dirname(path)), basename(path)) : realOf(path);
  return real === path ? [] : [{ touched, real }];
}

const mostLinks = 40;

/** Of what does not exist yet: of the directories that do, and of links that lead nowhere yet. */
function realOf(path: string, links = mostLinks): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    if (above === path || links === 0) return path;
    const place = join(realOf(above, links - 1), basename(path));
    const target = linkTarget(place);
    return target === undefined ? place : realOf(resolve(dirname(place), target), links - 1);
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function findingBehind({ access }: Touched, real: string, around: Around): Finding[] {
  const place = placeOf(real, around);
  const path = literal(real);
  const found =
    access === "read"
      ? fileFinding({ type: "reads", path }, place)
      : access === "delete"
        ? fileFinding({ type: "deletes", path, deep: true }, place)
        : fileFinding({ type: "writes", path, how: "edits" }, place);
  return found ? [{ ...found, because: `${found.because}, behind a link` }] : [];
}

function withFindings(judgement: Judgement, findings: readonly Finding[]): Judgement {
  const worst = gravest([judgement, ...findings]);
  if (!worst || findings.length === 0) return judgement;
  const parts = findings.map((found): CommandPart => ({
    words: "…",
    severity: found.severity,
    because: found.because,
    findings: [found],
    isPlain: false,
    verbs: 1,
  }));
  return {
    ...judgement,
    severity: worst.severity,
    because: worst.because,
    parts: [...judgement.parts, ...parts],
    onlyGit: false,
    onlyInstalls: false,
  };
}

function isOddFile(path: string): boolean {
  if (!path.startsWith("/")) return false;
  try {
    const stats = lstatSync(realOf(path));
    return !stats.isFile() && !stats.isDirectory();
  } catch {
    return false;
  }
}

/** Known to the shell itself: never looked up. */
const ofTheShell = new Set(
  "echo printf true false pwd test [ cd export set unset read type command".split(" "),
);

/** A program without a directory that is found in the workspace first. `node_modules/.bin` there is meant to be. */
function isOfWorkspace(program: string | undefined, { around, path }: CommandPlace): boolean {
  if (program === undefined || program.includes("/") || ofTheShell.has(program)) return false;
  for (const entry of path.split(":")) {
    const candidate = join(resolve(around.directory ?? around.workspace, entry), program);
    if (!isExecutable(candidate)) continue;
    return isWithin(around.workspace, candidate) || isWithin(around.workspace, realOf(candidate));
  }
  return false;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
