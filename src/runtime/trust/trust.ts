/** A person's approvals of what a workspace brings along: one file per workspace, in the state directory. */

import type { Brought, Trust } from "../../addons/trust.ts";
import { bounds } from "../../base/bounds.ts";
import type { Expected } from "../../base/expected.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { fileState, readSmallFile } from "../../base/safe-fs/small-file.ts";
import { byteLength } from "../../base/text.ts";
import type { CommandOutcome } from "../../protocol/commands.ts";
import { alone, removeKept, saveJson, workspaceFile } from "../state-files.ts";

/** An approval of exactly this content. */
export type Agreed = Pick<Brought, "kind" | "name" | "where" | "hash"> & {
  /** When, in milliseconds since 1970. */
  at?: number;
  /** The content shown then, if short enough to store. */
  shows?: string;
};

export type { Brought } from "../../addons/trust.ts";

export type WorkspaceTrust = Trust & {
  /** Everything that was asked about and still exists. */
  known(): readonly Brought[];
  /** A person's approvals, oldest first. */
  agreed(): readonly Agreed[];
  /** In effect once resolved, also for open sessions, here or in another program. */
  agree(things: readonly Brought[]): Promise<CommandOutcome>;
  /** Revokes all approvals with these names, or everything; returns what was revoked. */
  forget(which: readonly string[] | "all"): Promise<Expected<Agreed[]>>;
  /** Problems of the file, for people. */
  warnings(): string[];
};

export function openTrust(stateDir: string, workspace: string): WorkspaceTrust {
  const path = trustFile(stateDir, workspace);
  const asked = new Map<string, Brought>();
  let known: Known = { state: "", agreed: [], keys: new Set(), problems: [] };
  /** Re-reads the file if it changed: another program may have written it. */
  const now = (): Known => {
    const state = fileState(path);
    if (state !== known.state) known = { state, ...readAgreed(path, workspace) };
    return known;
  };
  const write = (agreed: readonly Agreed[]): Promise<CommandOutcome> =>
    agreed.length === 0 ? removeKept(path) : saveJson(path, { workspace, agreed: withinBound(agreed) });
  return {
    allows(thing) {
      const key = placeOf(thing);
      if (asked.size < bounds.trust.waiting.most || asked.has(key)) asked.set(key, thing);
      return now().keys.has(keyOf(thing));
    },
    gone: (things) => {
      for (const thing of things) asked.delete(placeOf(thing));
    },
    waiting: () => [...asked.values()].filter((thing) => !now().keys.has(keyOf(thing))),
    known: () => [...asked.values()],
    agreed: () => now().agreed,
    agree: (things) =>
      alone(path, () => {
        const at = Date.now();
        const added = things.map(({ kind, name, where, hash, shows }): Agreed => {
          const kept = shows.length <= bounds.trust.kept.most ? { shows } : {};
          return { kind, name, where, hash, at, ...kept };
        });
        const keys = new Set(added.map(keyOf));
        const others = now().agreed.filter((one) => !keys.has(keyOf(one)));
        return write([...others, ...added].slice(-bounds.trust.agreed.most));
      }),
    forget: (which) =>
      alone(path, async () => {
        const { agreed } = now();
        const forgotten = which === "all" ? agreed : agreed.filter((one) => isNamed(one, which));
        const left = agreed.filter((one) => !forgotten.includes(one));
        const written = await write(left);
        return written.ok ? { ok: true, value: [...forgotten] } : written;
      }),
    warnings: () => now().problems,
  };
}

/** Matches by name, or by the beginning of the content hash. */
export const isNamed = ({ name, hash }: Pick<Brought, "name" | "hash">, words: readonly string[]): boolean =>
  words.some(
    (word) => word === name || (/^#?[0-9a-f]{8,64}$/u.test(word) && hash.startsWith(word.replace("#", ""))),
  );

/** The hash digits by which people refer to a content. */
export const shortHash = (hash: string): string => hash.slice(0, 12);

/** The approval that this name and place last had, for a different content. */
export const agreedBefore = (
  { kind, name, where, hash }: Brought,
  agreed: readonly Agreed[],
): Agreed | undefined => {
  const same = agreed.filter((one) => one.kind === kind && one.name === name && one.where === where);
  return same.some((one) => one.hash === hash) ? undefined : same.at(-1);
};

type Known = { state: string; agreed: readonly Agreed[]; keys: Set<string>; problems: string[] };

const placeOf = ({ kind, name, where }: Pick<Agreed, "kind" | "name" | "where">): string =>
  JSON.stringify([kind, name, where]);
export const keyOf = ({ kind, name, where, hash }: Agreed): string =>
  JSON.stringify([kind, name, where, hash]);

export const trustFile = (stateDir: string, workspace: string): string =>
  workspaceFile(stateDir, "trust", workspace);

/** An unreadable file trusts nothing and produces a warning. */
function readAgreed(path: string, workspace: string): Omit<Known, "state"> {
  const read = readSmallFile(path, bounds.trust.file.most);
  if (read.ok && read.value === undefined) return nothingTrusted();
  const json = read.ok ? parseJson(new TextDecoder().decode(read.value)) : read;
  const agreed = json.ok ? agreedIn(json.value, workspace) : undefined;
  if (agreed) return { agreed, keys: new Set(agreed.map(keyOf)), problems: [] };
  return nothingTrusted(`${path} is damaged: nothing of what the workspace brings is trusted. Remove it.`);
}

const nothingTrusted = (...problems: string[]): Omit<Known, "state"> => ({
  agreed: [],
  keys: new Set(),
  problems,
});

function agreedIn(file: unknown, workspace: string): Agreed[] | undefined {
  if (!isObject(file) || file["workspace"] !== workspace || !Array.isArray(file["agreed"])) return undefined;
  const listed: unknown[] = file["agreed"];
  const good = listed.flatMap((one) => agreedOf(one) ?? []);
  return good.length === listed.length ? good : undefined;
}

const kinds = [
  "hook",
  "server",
  "skill",
  "command",
  "agent",
  "language-server",
] as const satisfies readonly Brought["kind"][];

function agreedOf(one: unknown): Agreed | undefined {
  if (!isObject(one)) return undefined;
  const { name, where, hash, at, shows } = one;
  const kind = kinds.find((known) => known === one["kind"]);
  const isWhole = kind && [name, where, hash].every((value) => typeof value === "string");
  if (!isWhole) return undefined;
  return {
    kind,
    name: String(name),
    where: String(where),
    hash: String(hash),
    ...(typeof at === "number" ? { at } : {}),
    ...(typeof shows === "string" ? { shows } : {}),
  };
}

/** Retains stored contents only for the newest approvals. */
function withinBound(agreed: readonly Agreed[]): Agreed[] {
  let room: number = bounds.trust.keptAll.most;
  return agreed
    .toReversed()
    .map(({ shows, ...one }) => {
      room -= shows === undefined ? 0 : byteLength(JSON.stringify(shows));
      return shows === undefined || room < 0 ? one : { ...one, shows };
    })
    .toReversed();
}
