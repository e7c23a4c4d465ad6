/** Turns the secrets and sockets that exist on this machine into mounts that hide them. */

import { lstatSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt, type Expected, refuse } from "../../base/expected.ts";
import { madeOnce } from "../../base/last-made.ts";
import { isWithin } from "../../base/paths.ts";
import { fitsPattern } from "../../base/star-pattern.ts";
import { realPath, statusOf } from "../on-disk.ts";
import { mayMeet } from "../path-pattern.ts";
import { mostMaskedBytes } from "./bounds.ts";
import { lookAtNames, type KnownNames } from "./known-names.ts";
import type { SandboxMount } from "./mounts.ts";
import { otherLinks } from "./other-links.ts";
import { redactedFor } from "./secret-rules.ts";
import { type Secret, secrets } from "./secrets.ts";

type MaskRequest = {
  home: string;
  workspace: string;
  /** Left visible: resolved paths that the user unlocked for this command. */
  unmasked: readonly string[];
  /** Left visible, without anything below: paths that the command itself names, possibly by pattern. */
  named: readonly string[];
  environmentFiles: readonly string[];
  /** Directories in which other sessions work. */
  others?: readonly string[] | undefined;
  /** Found by rule in the home. */
  byRule?: readonly Secret[];
  /** Trees already emptied of host files. */
  emptied: readonly string[];
  /** Other programs' sockets, to be hidden as well. */
  sockets: readonly string[];
};

/** Masks are mounted only on resolved paths: bubblewrap never meets a symbolic link and creates no mount point. */
export function maskSecrets(request: MaskRequest): Expected<SandboxMount[]> {
  const masks = new Map<string, SandboxMount>();
  const names = lookAtNames(request.home);
  const { byRule = [], environmentFiles, others = [] } = request;
  for (const secret of [...byRule, ...secrets, ...[...environmentFiles, ...others].map(hiddenFile)]) {
    for (const path of placesOf(secret, request.home, names)) {
      const covers = isWithin(path, request.workspace);
      if (covers && !request.unmasked.some((free) => isWithin(free, path)))
        return refuse(
          `The workspace ${request.workspace} lies in ${path}, which is hidden from commands because it holds secrets.`,
        );
      const mask = maskFor(path, secret, request);
      if (mask) masks.set(path, mask);
    }
  }
  const visible = [request.workspace, request.home];
  for (const shown of ["hidden", "redacted"] as const) {
    const alike = [...masks.values()].filter(({ kind }) => (kind === "text") === (shown === "redacted"));
    for (const path of otherLinks(
      alike.map(({ path }) => path),
      visible,
      names,
    )) {
      const mask = masks.has(path) ? undefined : maskFor(path, { path, shown }, request);
      if (mask) masks.set(path, mask);
    }
  }
  for (const path of request.sockets) masks.set(path, { kind: "hidden-file", path });
  const passages = [...request.unmasked, ...request.named.filter((path) => realPathOf(path) === path)];
  return { ok: true, value: withPassages([...masks.values()], passages) };
}

const hiddenFile = (path: string): Secret => ({ path, shown: "hidden" });

/** The existing paths that a row matches, resolved. */
function placesOf(secret: Secret, home: string, names: KnownNames): string[] {
  const { path } = secret;
  const mayExist = rows.has(secret) ? names.mayExist : () => true; // what was found is there
  const written = path.startsWith("~/") ? `${home === "/" ? "" : home}${path.slice(1)}` : path;
  const candidates = path.includes("*") ? matching(written, names) : [written];
  return candidates.flatMap((candidate) => (mayExist(candidate) ? (realPathOf(candidate) ?? []) : []));
}

const rows: ReadonlySet<Secret> = new Set(secrets);

function matching(pattern: string, names: KnownNames): string[] {
  const directory = dirname(pattern);
  return names
    .entriesIn(directory)
    .map(({ name }) => name)
    .filter((name) => fitsPattern(basename(pattern), name))
    .map((name) => join(directory, name));
}

/** Most candidates do not exist, and learning that from an exception is slow. */
const realPathOf = (path: string): string | undefined => statusOf(path) && realPath(path);

function maskFor(
  path: string,
  secret: Secret,
  { unmasked, named, emptied }: MaskRequest,
): SandboxMount | undefined {
  if (isShown(path, { unmasked, named })) return undefined;
  if (emptied.some((tree) => isWithin(tree, path))) return undefined;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return { kind: "hidden-directory", path, passable: false };
  const text = secret.shown === "redacted" && stats.isFile() ? readSmall(path, stats.size) : undefined;
  return text === undefined
    ? { kind: "hidden-file", path }
    : { kind: "text", path, text: shownText(basename(path), text) };
}

/** Whether the user let this command have a place. */
export const isShown = (
  path: string,
  { unmasked, named }: Pick<MaskRequest, "unmasked" | "named">,
): boolean => unmasked.some((free) => isWithin(free, path)) || named.some((name) => isNamed(path, name));

/** Kept, since the same settings are shown to every command. */
const shownText = madeOnce(100, redactedFor);

const isNamed = (path: string, name: string): boolean =>
  path === name || (/[*?[{]/u.test(name) && mayMeet(path, name, { deep: false }));

/** Undefined if unreadable: the file is then hidden entirely. */
const readSmall = (path: string, size: number): string | undefined =>
  size > mostMaskedBytes ? undefined : attempt(() => readFileSync(path, "utf8"));

/** Mounts nothing below a hidden directory except what the user unlocked for this command. */
function withPassages(masks: readonly SandboxMount[], unmasked: readonly string[]): SandboxMount[] {
  const hidden = masks.filter(({ kind }) => kind === "hidden-directory");
  const outer = masks.filter(
    ({ path }) => !hidden.some((other) => other.path !== path && isWithin(other.path, path)),
  );
  return outer.flatMap((mask): SandboxMount[] => {
    const free = unmasked.filter((path) => path !== mask.path && isWithin(mask.path, path));
    if (mask.kind !== "hidden-directory" || free.length === 0) return [mask];
    return [{ ...mask, passable: true }, ...free.map((path): SandboxMount => ({ kind: "writable", path }))];
  });
}
