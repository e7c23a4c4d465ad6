/** A person's approvals of what a workspace brings along: one file per workspace, in the state directory. */

import type { TrustItem, Trust } from "../addons/trust.ts";
import { kib } from "../base/bound.ts";
import type { Expected } from "../base/expected.ts";
import { fileState } from "../base/safe-fs/small-file.ts";
import { alone, removeKept, saveJson } from "../base/safe-fs/state-files.ts";
import type { CommandOutcome } from "../protocol/commands.ts";
import { type TrustApproval, agreedAt, trustFile, withinBound } from "./approvals-file.ts";
import { trustBounds } from "./bounds.ts";
import { whyChangeable } from "./writers.ts";

/** Approved content of one item, stored to show later differences, in characters. */
export const mostKept = 32 * kib;
/** Items of a workspace waiting for approval. */
export const mostWaiting = 1_000;

export type { TrustItem } from "../addons/trust.ts";
export type { TrustApproval } from "./approvals-file.ts";

export type WorkspaceTrust = Trust & {
  /** Everything that was asked about and still exists. */
  known(): readonly TrustItem[];
  /** A person's approvals, oldest first. */
  agreed(): readonly TrustApproval[];
  /** In effect once resolved, also for open sessions, here or in another program. */
  agree(things: readonly TrustItem[]): Promise<CommandOutcome>;
  /** Revokes all approvals with these names, or everything; returns what was revoked. */
  forget(which: readonly string[] | "all"): Promise<Expected<TrustApproval[]>>;
  /** Problems of the file, for people. */
  warnings(): string[];
};

export function openTrust(stateDir: string, workspace: string): WorkspaceTrust {
  const path = trustFile(stateDir, workspace);
  const asked = new Map<string, TrustItem>();
  let known: WorkspaceApprovals = { state: "", agreed: [], keys: new Set(), problems: [] };
  /** Re-reads the file if it changed: another program may have written it. */
  const now = (): WorkspaceApprovals => {
    const state = fileState(path);
    if (state !== known.state) known = { state, ...readAgreed(path, workspace) };
    return known;
  };
  const write = (agreed: readonly TrustApproval[]): Promise<CommandOutcome> =>
    agreed.length === 0 ? removeKept(path) : saveJson(path, { workspace, agreed: withinBound(agreed) });
  return {
    allows(thing) {
      const key = approvalKey(thing);
      if (asked.size < mostWaiting || asked.has(key)) asked.set(key, thing);
      return now().keys.has(keyOf(thing));
    },
    filesRun: async () => (await import("../safety/ran/ran.ts")).filesRunBy,
    whyNotNow: (thing) => {
      const approved = now().agreed.filter((one) => approvalKey(one) === approvalKey(thing));
      const held = approved.flatMap((one) => (one.held ?? []).map((path) => `${workspace}/${path}`));
      return whyChangeable(stateDir, held);
    },
    withdraw: async (thing) => {
      await alone(path, () => write(now().agreed.filter((one) => approvalKey(one) !== approvalKey(thing))));
    },
    gone: (things) => {
      for (const thing of things) asked.delete(approvalKey(thing));
    },
    waiting: () => [...asked.values()].filter((thing) => !now().keys.has(keyOf(thing))),
    known: () => [...asked.values()],
    agreed: () => now().agreed,
    agree: (things) =>
      alone(path, () => {
        const at = Date.now();
        const added = things.map(({ kind, name, where, hash, shows, held }): TrustApproval => {
          const kept = shows.length <= mostKept ? { shows } : {};
          return { kind, name, where, hash, at, ...kept, held };
        });
        const keys = new Set(added.map(keyOf));
        const others = now().agreed.filter((one) => !keys.has(keyOf(one)));
        return write([...others, ...added].slice(-trustBounds.agreed.most));
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
export const isNamed = (
  { name, hash }: Pick<TrustItem, "name" | "hash">,
  words: readonly string[],
): boolean =>
  words.some(
    (word) => word === name || (/^#?[0-9a-f]{8,64}$/u.test(word) && hash.startsWith(word.replace("#", ""))),
  );

/** The words with whole names for unambiguous beginnings: `c.sh` for "c.sh at session-start". */
export function wholeNames(
  words: readonly string[],
  things: readonly Pick<TrustItem, "name" | "hash">[],
): string[] {
  const names = [...new Set(things.map(({ name }) => name))];
  return words.map((word) => {
    if (word === "" || word === "all" || things.some((thing) => isNamed(thing, [word]))) return word;
    const [found, another] = names.filter((name) => name.startsWith(word));
    return found !== undefined && another === undefined ? found : word;
  });
}

/** The hash digits by which people refer to a content. */
export const shortHash = (hash: string): string => hash.slice(0, 12);

/** The approval that this name and place last had, for a different content. */
export const agreedBefore = (
  { kind, name, where, hash }: TrustItem,
  agreed: readonly TrustApproval[],
): TrustApproval | undefined => {
  const same = agreed.filter((one) => one.kind === kind && one.name === name && one.where === where);
  return same.some((one) => one.hash === hash) ? undefined : same.at(-1);
};

type WorkspaceApprovals = {
  state: string;
  agreed: readonly TrustApproval[];
  keys: Set<string>;
  problems: string[];
};

const approvalKey = ({ kind, name, where }: Pick<TrustApproval, "kind" | "name" | "where">): string =>
  JSON.stringify([kind, name, where]);
export const keyOf = ({ kind, name, where, hash }: TrustApproval): string =>
  JSON.stringify([kind, name, where, hash]);

function readAgreed(path: string, workspace: string): Omit<WorkspaceApprovals, "state"> {
  const { agreed, isDamaged, ...of } = agreedAt(path);
  if (!isDamaged && (of.workspace === undefined || of.workspace === workspace))
    return { agreed, keys: new Set(agreed.map(keyOf)), problems: [] };
  const problem = `${path} is damaged: nothing of what the workspace brings is trusted. Remove it.`;
  return { agreed: [], keys: new Set(), problems: [problem] };
}
