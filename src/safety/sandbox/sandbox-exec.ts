/**
 * macOS: expresses the same profiles as rules for `sandbox-exec`. Written from Apple's rule language; the rules are
 * tested as text only.
 */

import { once } from "../../base/async.ts";
import type { Expected } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";
import { type ContainedRun, endedWith } from "./contained-run.ts";
import { environmentFor } from "./environment.ts";
import { pinsOf } from "./git-places.ts";
import { heldPlaces, placesWithin } from "./held-places.ts";
import { type ProcessLimits, withLimits } from "./process-limits.ts";
import { cannotContain, type CheckedRequest, checkRequest, type ContainRequest } from "./request.ts";
import { type CommandSurroundings, surroundingsOf } from "./surroundings.ts";

const program = "/usr/bin/sandbox-exec";
const temporary = ["/private/tmp", "/private/var/tmp", "/private/var/folders"];
const devices = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper", "/dev/ptmx", "/dev/fd"];

export const noOverlays = "macOS has no layers over a directory";

export function containInSandboxExec(limits: ProcessLimits) {
  return async (request: ContainRequest): Promise<Expected<ContainedRun>> => {
    const checked = checkRequest(request);
    if (!checked.ok) return checked;
    if (request.overlay) return cannotContain(noOverlays);
    if (request.profile === "install")
      return cannotContain(
        "installs have no way to the registries on macOS yet; a person may approve it to run in the open",
      );
    const surroundings = await surroundingsOf(checked.value);
    if (!surroundings.ok) return surroundings;
    const { filled, guard, git, cache, settings } = surroundings.value;
    const command = withLimits(request.command, limits);
    return {
      ok: true,
      value: {
        command: [program, "-p", sandboxExecRules(checked.value, surroundings.value), ...command],
        env: environmentFor(checked.value, cache, settings),
        feeds: [],
        guarded: true,
        onStart: () => {},
        repositories: git,
        finished: once(async () => endedWith([...filled.tell(), ...guard.check()])),
      },
    };
  };
}

type MacPlan = Pick<CommandSurroundings, "found" | "git" | "masks" | "cache">;

/** Later rules override earlier ones. */
export function sandboxExecRules(request: CheckedRequest, { found, git, masks, cache }: MacPlan): string {
  const { profile, workspace, stateDir, unmasked } = request;
  const writable = profile === "build" || profile === "git" ? [workspace, ...git] : [];
  const passages = masks.filter(({ kind }) => kind === "writable").map(({ path }) => path);
  const hidden = masks.filter(({ kind, path }) => kind !== "writable" && !isWithin(stateDir, path));
  const shut = [...found.git, ...found.protected]
    .map(({ path }) => path)
    .filter((path) => !git.includes(path));
  const held = placesWithin(heldPlaces(request.held ?? []), request);
  const pinned = profile === "open" ? [] : [...shut, ...git.flatMap(pinsOf)];
  return [
    "(version 1)",
    "(allow default)",
    ...(profile === "open" ? [] : ["(deny network*)", '(allow network* (local ip "localhost:*"))']),
    ...(profile === "open"
      ? []
      : ["(deny file-write*)", '(deny mach-lookup (global-name-prefix "com.apple.security"))']),
    ...(profile === "open" ? [] : rules("allow file-write*", [...temporary, ...devices, ...writable])),
    ...rules("deny file-write*", pinned),
    ...held.map(
      ({ path, as }) =>
        `(deny file-write* (${as === "whole" ? "subpath" : "literal"} ${schemeString(path)}))`,
    ),
    ...rules("deny file-read* file-write*", [...hidden.map(({ path }) => path), stateDir]),
    ...rules("allow file-read* file-write*", [
      ...unmasked,
      ...passages,
      ...(cache === undefined ? [] : [cache]),
    ]),
  ].join("\n");
}

function rules(what: string, paths: readonly string[]): string[] {
  return paths.map((path) => `(${what} (subpath ${schemeString(path)}))`);
}

/** Quotes a path as a Scheme string. */
const schemeString = (path: string): string => `"${path.replace(/["\\]/g, (mark) => `\\${mark}`)}"`;
