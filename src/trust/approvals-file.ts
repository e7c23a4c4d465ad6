/** The file of a workspace's approvals: what it holds, and how it is read. */

import { join } from "node:path";
import type { TrustItem } from "../addons/trust.ts";
import { kib, mib } from "../base/bound.ts";
import { mostStateFileBytes } from "../base/bounds.ts";
import { isObject, parseJson } from "../base/json.ts";
import { readSmallFile } from "../base/safe-fs/small-file.ts";
import { workspaceFile } from "../base/safe-fs/state-files.ts";
import { byteLength } from "../base/text.ts";

/** Approved content of all items of a workspace, stored to show later differences, in bytes. */
export const mostKeptAll = 256 * kib;
/** Names of the files that all trusted items of a workspace run, in characters. */
const mostHeldAll = 4 * mib;

/** An approval of exactly this content. */
export type TrustApproval = Pick<TrustItem, "kind" | "name" | "where" | "hash" | "held"> & {
  /** When, in milliseconds since 1970. */
  at?: number;
  /** The content shown then, if short enough to store. */
  shows?: string;
};

const folder = "trust";

export const trustDirectory = (stateDir: string): string => join(stateDir, folder);

export const trustFile = (stateDir: string, workspace: string): string =>
  workspaceFile(stateDir, folder, workspace);

/** Without a `workspace` there is no file, or it is damaged. */
type Agreements = { workspace?: string; agreed: readonly TrustApproval[]; isDamaged: boolean };

/** A missing file approves nothing; so does a damaged one. */
export function agreedAt(path: string): Agreements {
  const read = readSmallFile(path, mostStateFileBytes);
  if (read.ok && read.value === undefined) return { agreed: [], isDamaged: false };
  const json = read.ok ? parseJson(new TextDecoder().decode(read.value)) : read;
  const found = json.ok ? agreedIn(json.value) : undefined;
  return found ?? { agreed: [], isDamaged: true };
}

function agreedIn(file: unknown): Agreements | undefined {
  if (!isObject(file) || typeof file["workspace"] !== "string" || !Array.isArray(file["agreed"]))
    return undefined;
  const listed: unknown[] = file["agreed"];
  const good = listed.flatMap((one) => agreedOf(one) ?? []);
  const { workspace } = file;
  return good.length === listed.length ? { workspace, agreed: good, isDamaged: false } : undefined;
}

const kinds = [
  "hook",
  "server",
  "skill",
  "command",
  "agent",
  "language-server",
] as const satisfies readonly TrustItem["kind"][];

function agreedOf(one: unknown): TrustApproval | undefined {
  if (!isObject(one)) return undefined;
  const { name, where, hash, at, shows, held } = one;
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
    ...(Array.isArray(held) ? { held: held.map(String) } : {}),
  };
}

/** Retains stored contents only for the newest approvals, and approvals only while their files can be listed. */
export function withinBound(agreed: readonly TrustApproval[]): TrustApproval[] {
  let space: number = mostKeptAll;
  let names: number = mostHeldAll;
  return agreed
    .toReversed()
    .filter(({ held = [] }) => (names -= JSON.stringify(held).length) >= 0)
    .map(({ shows, ...one }) => {
      space -= shows === undefined ? 0 : byteLength(JSON.stringify(shows));
      return shows === undefined || space < 0 ? one : { ...one, shows };
    })
    .toReversed();
}
