/**
 * macOS: expresses the same profiles as rules for `sandbox-exec`. Written from Apple's rule language; the rules are
 * tested as text only.
 */

import type { Expected } from "../../base/expected.ts";
import { isWithin } from "../../base/paths.ts";
import { cacheFor } from "./cache-directory.ts";
import { type ContainedRun, endedWith } from "./contained-run.ts";
import { environmentFor } from "./environment.ts";
import { pinsOf, repositoriesOf } from "./git-places.ts";
import { guardWorkspace } from "./guard.ts";
import { heldPlaces, placesWithin } from "./held-places.ts";
import { knownHome } from "./home-index.ts";
import { gitSettings } from "./known-repositories.ts";
import { maskSecrets } from "./masks.ts";
import type { SandboxMount } from "./mounts.ts";
import { type ProcessLimits, withLimits } from "./process-limits.ts";
import { cannotContain, type CheckedRequest, checkRequest, type ContainRequest } from "./request.ts";
import { type IndexedPlaces, knownWorkspace, withSecrets } from "./workspace-index.ts";

export type MacPlan = {
  request: CheckedRequest;
  found: IndexedPlaces;
  /** Git directories that the command may write. */
  git: readonly string[];
  masks: readonly SandboxMount[];
  cache?: string;
};

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
    const index = knownWorkspace(request.workspace);
    const indexed = index.look();
    const filled = await index.lookIntoFilled(indexed);
    const found = withSecrets(indexed, filled);
    const plan = planFor(checked.value, found);
    if (!plan.ok) return plan;
    const settings = await gitSettings(checked.value, found, plan.value.git);
    if (!settings.ok) return settings;
    const guard = guardWorkspace(checked.value, { found, index, git: plan.value.git });
    const command = withLimits(request.command, limits);
    return {
      ok: true,
      value: {
        command: [program, "-p", sandboxExecRules(plan.value), ...command],
        env: environmentFor(checked.value, plan.value.cache, settings.value),
        feeds: [],
        guarded: true,
        onStart: () => {},
        repositories: plan.value.git,
        finished: async () => endedWith([...filled.tell(), ...guard.check()]),
      },
    };
  };
}

function planFor(request: CheckedRequest, found: IndexedPlaces): Expected<MacPlan> {
  const git = repositoriesOf(request, found);
  if (!git.ok) return git;
  const masks = maskSecrets({
    ...request,
    environmentFiles: found.environmentFiles,
    byRule: knownHome(request.home, request.workspace).look(),
    emptied: [],
    sockets: [],
  });
  if (!masks.ok) return masks;
  const cache = cacheFor(request);
  return {
    ok: true,
    value: { request, found, git: git.value, masks: masks.value, ...(cache ? { cache } : {}) },
  };
}

/** Later rules override earlier ones. */
export function sandboxExecRules({ request, found, git, masks, cache }: MacPlan): string {
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
