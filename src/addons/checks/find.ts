/** Finds a project's checks and combines them into one command line. */

import { realpathSync, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { directoryGlance } from "../../base/directory-glance.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { directoriesUp, isWithin } from "../../base/paths.ts";
import { byUse, type Check, type CheckKind, kindMeant, kinds } from "./check.ts";
import { present, usualChecks, usualFiles } from "./ecosystems.ts";
import { javaFiles } from "./java.ts";
import { placeAt } from "./place.ts";
import { pythonFiles } from "./python.ts";
import { damagedIn, namedChecks, runnerFiles } from "./runners.ts";

/** Checks of a directory offered to the model. */
const mostListed = 60;

/** `directory` is relative to the workspace. */
type PlannedCheck = { command: string; directory: string };

/**
 * `wanted`: "all", a kind, or the name of a check. The problem says which directories were searched and what exists.
 */
export function planChecks(workspace: string, path: string, wanted: string): Expected<PlannedCheck> {
  const start = directoryAt(workspace, path);
  if (start === undefined) return refuse(`There is no directory ${path} in the workspace.`);
  const looked: string[] = [];
  const damaged: string[] = [];
  for (const directory of directoriesUp(workspace, start)) {
    const place = placeAt(workspace, directory);
    const named = namedChecks(place);
    const usual = usualChecks(place);
    const where = relative(workspace, directory).split(sep).join("/") || ".";
    const name = where === "." ? "the workspace's root" : where;
    if (named.length + usual.length > 0) return planIn({ named: byUse(named), usual, where, name }, wanted);
    looked.push(name);
    damaged.push(...damagedIn(place).map((file) => (where === "." ? file : `${where}/${file}`)));
  }
  return refuse([...damaged.map(cannotBeRead), nothingIn(looked)].join(" "));
}

/** A cheap test whether the workspace may have any checks. */
export function mayHaveChecks(workspace: string): boolean {
  const place = placeAt(workspace, workspace);
  return filesLookedFor().some((file) => present([file], place) !== undefined);
}

/** `mayHaveChecks`, repeated only after the directory's entries changed. */
export function checksGlance(workspace: string): () => boolean {
  const glance = directoryGlance(mayHaveChecks);
  return () => glance(workspace);
}

type Here = { named: readonly Check[]; usual: readonly Check[]; where: string; name: string };

function planIn(here: Here, wanted: string): Expected<PlannedCheck> {
  const chosen = chosenFrom(here, wanted.trim());
  // Deduplicates steps that several checks share.
  const commands = [...new Set(chosen.flatMap(({ command }) => command.split(" && ")))];
  if (commands.length > 0)
    return { ok: true, value: { command: commands.join(" && "), directory: here.where } };
  const all = [...here.named, ...here.usual].slice(0, mostListed);
  const list = all.map(
    ({ kind, name, command }) => `- ${name === command ? name : `${name}: ${command}`} (${kind})`,
  );
  return refuse(
    [`There is no check ${JSON.stringify(wanted.slice(0, 100))} in ${here.name}. There are:`, ...list].join(
      "\n",
    ),
  );
}

function chosenFrom({ named, usual }: Here, wanted: string): readonly Check[] {
  if (wanted === "" || wanted.toLowerCase() === "all")
    return kinds.flatMap((kind) => ofKind({ named, usual }, kind));
  const exact = [...named, ...usual].find(({ name, command }) => name === wanted || command === wanted);
  if (exact && !kinds.some((kind) => kind === wanted)) return [exact];
  const kind = kindMeant(wanted);
  return kind === undefined ? [] : ofKind({ named, usual }, kind);
}

/** A check that the project defines wins; otherwise the default of each group, once. */
function ofKind({ named, usual }: Pick<Here, "named" | "usual">, kind: CheckKind): Check[] {
  const own = named.find((check) => check.kind === kind);
  if (own) return [own];
  const fitting = usual.filter((check) => check.kind === kind);
  return fitting.filter(({ group }, at) => fitting.findIndex((other) => other.group === group) === at);
}

const filesLookedFor = (): string[] => [
  ...new Set([...runnerFiles(), ...pythonFiles, ...javaFiles, ...usualFiles()]),
];

const cannotBeRead = (file: string): string => `${file} is not valid JSON, so its scripts are not known.`;

const nothingIn = (looked: readonly string[]): string =>
  `No checks were found in ${looked.join(", ")}. Looked for ${filesLookedFor().join(", ")}. If only a part of it has checks, give its directory as "path". Otherwise look how the project is built and tested, and run that as a command.`;

/** Resolved and inside the workspace; for a file, its directory. */
function directoryAt(workspace: string, path: string): string | undefined {
  for (const candidate of [resolve(workspace, path), resolve(workspace, path, "..")]) {
    try {
      const real = realpathSync.native(candidate);
      if (!isWithin(workspace, real)) return undefined;
      if (statSync(real).isDirectory()) return real;
    } catch {
      return undefined;
    }
  }
  return undefined;
}
