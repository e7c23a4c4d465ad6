/**
 * Adds the state of the file system to a judgement: targets of symbolic links, nested repositories, and programs that
 * the workspace brings along.
 */

import { join, relative, resolve } from "node:path";
import { isWithin } from "../base/paths.ts";
import { literal } from "./command-line/word.ts";
import { namesIn } from "./dangers/parts.ts";
import type { Around } from "./dangers/program.ts";
import { fileFinding } from "./judge/file-findings.ts";
import { leavesWorkspace } from "./judge/leaves-workspace.ts";
import { placeOf } from "./judge/place.ts";
import { type Finding, gravest, type Judgement, partOfFinding, type TouchedPath } from "./judgement.ts";
import { isExecutable, realPath, statusOf } from "./on-disk.ts";
import { repositoryBelow } from "./repositories-below.ts";
import { isSecretAtHome } from "./sandbox/home-index.ts";
import { skippedDirectories } from "./sandbox/protected-places.ts";
import { type Leads, openDisk, whereItLeads } from "./where-it-leads.ts";

/** `path`: the PATH for looking up programs. */
type CommandPlace = { around: Around; path: string };

/** More paths than this are not looked up, and the command no longer counts as read-only. */
const mostPaths = 200;

/** Adds to the judgement what the command's words do not show. Inspects the disk, but opens no file except small settings in the home. */
export function judgeOnDisk(words: Judgement, { around, path }: CommandPlace): Judgement {
  const judgement = { ...words, touched: words.touched.map((one) => withPresence(one, around)) };
  const { found, isLost } = look(judgement.touched);
  const links = found.flatMap(({ touched, behind }) => behind.map((real) => ({ touched, real })));
  const odd = found.some(
    ({ touched, behind, each }) => touched.access === "read" && [...behind, ...each].some(isOddFile),
  );
  const shadowed = judgement.parts.some(({ argv }) => isOfWorkspace(argv?.[0], { around, path }));
  const repositories = found.flatMap((one) => repositoryFindings(one, around));
  const behind = links.flatMap(({ touched, real }) =>
    judgement.usesNetwork && isSecretRead(touched, real, around)
      ? [sendsSecret(real)]
      : findingBehind(touched, real, around),
  );
  const findings = [
    ...repositories,
    ...behind,
    ...judgement.touched.slice(0, mostPaths).flatMap((one) => hiddenByRule(one, around)),
    ...judgement.touched.flatMap((one) => findingWithout(one, judgement, around)),
    ...judgement.touched.flatMap((one) => takenPlace(one, around)),
  ];
  if (links.length === 0 && findings.length === 0 && !odd && !shadowed && !isLost) return judgement;
  const touched = [...judgement.touched, ...links.map((link) => ({ ...link.touched, path: link.real }))];
  const leaves = touched.filter((one) => leavesWorkspace(one, around));
  const { requests: _, ...others } = withFindings(judgement, findings);
  return {
    ...others,
    touched,
    takesRepositories: repositories.length > 0,
    // A FIFO or a device may never end.
    onlyReads: judgement.onlyReads && findings.length === 0 && !odd && !shadowed && !isLost,
    leavesWorkspace: judgement.leavesWorkspace || leaves.length > 0,
    destroysOutside: judgement.destroysOutside || leaves.some(({ access }) => access === "delete"),
  };
}

/** Asked of secrets only: what is written there is then in the way of what was. */
const withPresence = (touched: TouchedPath, around: Around): TouchedPath =>
  touched.access === "write" &&
  placeOf(touched.path, around).secret !== undefined &&
  statusOf(touched.path) !== undefined
    ? { ...touched, isThere: true }
    : touched;

type ResolvedTouch = Leads & { touched: TouchedPath };

/**
 * Resolves all paths, within limits. A path that the command turns into a link is resolved as if it were not one yet.
 */
function look(all: readonly TouchedPath[]): { found: ResolvedTouch[]; isLost: boolean } {
  const made = all.flatMap(({ path, linksTo }): [string, string][] => (linksTo ? [[path, linksTo]] : []));
  const [disk, before] = [openDisk(made), openDisk([])];
  const found = all
    .slice(0, mostPaths)
    .map((touched) => ({ touched, ...whereItLeads(touched, touched.linksTo ? before : disk) }));
  const count = found.reduce((sum, { behind }) => sum + behind.length, all.length);
  return { found, isLost: count > mostPaths || disk.looks < 0 };
}

function findingBehind({ access }: TouchedPath, real: string, around: Around): Finding[] {
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

/** A `cd` into a missing directory fails, and a deletion after `;` then happens where the line started. */
function findingWithout(
  { path, within, deep }: TouchedPath,
  { touched }: Judgement,
  around: Around,
): Finding[] {
  const start = around.directory;
  if (within === undefined || start === undefined || realPath(within) !== undefined) return [];
  if (touched.some((made) => made.access === "write" && isWithin(made.path, within))) return [];
  const there = join(start, relative(within, path));
  const found = fileFinding(
    { type: "deletes", path: literal(there), deep: deep === true },
    placeOf(there, around),
  );
  const shown = relative(around.workspace, within);
  return found
    ? [{ ...found, because: `${found.because}: there is no directory ${shown} to do that in` }]
    : [];
}

/** A place that was to be new, and is somebody's already. */
function takenPlace({ path, isNew }: TouchedPath, around: Around): Finding[] {
  if (!isNew || statusOf(path) === undefined) return [];
  const found = fileFinding({ type: "writes", path: literal(path), how: "edits" }, placeOf(path, around));
  return found ? [{ ...found, because: `${found.because}, and something is there already` }] : [];
}

/** A file that only its mode or content shows to hold secrets: commands do not see it without a question. */
function hiddenByRule({ path, access }: TouchedPath, around: Around): Finding[] {
  const place = placeOf(path, around);
  if (access !== "read" || place.secret !== undefined || !isWithin(around.home, path)) return [];
  if (isWithin(around.workspace, path) || path === around.home) return [];
  const names = relative(around.home, path).split("/");
  if (!isSecretAtHome(names, { home: around.home })) return [];
  return [
    fileFinding({ type: "reads", path: literal(path) }, { ...place, secret: "a place that holds secrets" }),
  ].flatMap((found) => found ?? []);
}

const isSecretRead = ({ access }: TouchedPath, real: string, around: Around): boolean =>
  access === "read" && placeOf(real, around).secret !== undefined;

/** The link's name hides the secret, and a command that uses the network may send it. */
const sendsSecret = (real: string): Finding => ({
  severity: "critical",
  because: `it reads ${real} behind a link, and talks to another machine`,
});

/** Deleting or moving a directory takes its repositories along. Temporary directories hold no history worth keeping. */
function repositoryFindings({ touched, behind, each }: ResolvedTouch, around: Around): Finding[] {
  if (!touched.deep) return [];
  const inside = [...behind, ...each].filter((path) => mayKeepHistory(path, around));
  const repository = firstOf(inside, repositoryBelow);
  if (repository === undefined) return [];
  const shown = relative(around.workspace, repository);
  if (touched.access !== "delete")
    return [{ severity: "high", because: `it moves another repository (${shown})` }];
  return placeOf(repository, around).isRegenerable
    ? [{ severity: "high", because: `it deletes a repository that a build has fetched (${shown})` }]
    : [{ severity: "critical", because: `it deletes the history of another repository (${shown})` }];
}

function mayKeepHistory(path: string, around: Around): boolean {
  const names = relative(around.workspace, path).split("/");
  return placeOf(path, around).kind === "in-workspace" && !names.some((name) => skippedDirectories.has(name));
}

function firstOf<From, To>(all: readonly From[], find: (one: From) => To | undefined): To | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function withFindings(judgement: Judgement, findings: readonly Finding[]): Judgement {
  const worst = gravest([...findings, judgement]); // on a tie the file system's finding says more
  if (!worst || findings.length === 0) return judgement;
  const { range, ...others } = judgement;
  return {
    ...others,
    ...(worst === judgement && range ? { range } : {}),
    severity: worst.severity,
    because: worst.because,
    parts: [...judgement.parts, ...findings.map(partOfFinding)],
    onlyGit: false,
    onlyInstalls: false,
  };
}

function isOddFile(path: string): boolean {
  const stats = statusOf(path);
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/** Builtins of the shell, which are never looked up. */
const ofTheShell = new Set(
  namesIn("echo printf true false pwd test [ cd export set unset read type command"),
);

/** Whether PATH leads a bare program name into the workspace first, including `node_modules/.bin`. */
function isOfWorkspace(program: string | undefined, { around, path }: CommandPlace): boolean {
  if (program === undefined || program.includes("/") || ofTheShell.has(program)) return false;
  for (const entry of path.split(":")) {
    const candidate = join(resolve(around.directory ?? around.workspace, entry), program);
    if (!isExecutable(candidate)) continue;
    return (
      isWithin(around.workspace, candidate) || isWithin(around.workspace, realPath(candidate) ?? candidate)
    );
  }
  return false;
}
