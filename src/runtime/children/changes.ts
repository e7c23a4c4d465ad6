/** Attributes a subagent's changes to the call that delegated the task, so that the parent's undo reverts them. */

import { entriesOf } from "../../archive/sessions.ts";
import { childEnvironment } from "../../base/process.ts";
import type { Change, Image } from "../../base/safe-fs/image.ts";
import { isSameStanding, inForce, type PathStanding, trailsOf } from "../../protocol/fold-changes.ts";
import {
  type CheckpointContext,
  keptImage,
  presentAt,
  standingOf,
} from "../../session/checkpoints/images.ts";
import { withReferences } from "../../session/git-references/references-tree.ts";
import { isReferencesPath } from "../../session/git-references/references.ts";
import type { ToolResult } from "../../tools/tool.ts";
import type { LiveSession } from "../live-session.ts";
import type { SessionSetup } from "../session-setup.ts";

export type ChildChanges = Required<Pick<ToolResult, "changes" | "references" | "uncovered">>;

/** From each path's state before its first change to the state the subagent left; in the order of the first changes. */
export async function changesOf(
  child: LiveSession,
  { store, environment }: Pick<SessionSetup, "store" | "environment">,
): Promise<ChildChanges> {
  const changes: Change[] = [];
  const references: Change[] = [];
  const uncovered: string[] = [];
  const { state, files } = child;
  if (state.changes.trails.size === 0) return { changes, references, uncovered };
  for await (const entry of entriesOf(store, child.id))
    if (entry.type === "change-applied") uncovered.push(...(entry.uncovered ?? []));
  const env = environment ?? childEnvironment(process.env);
  const context = { state, files: withReferences(files, { workspace: files.root, env }), store };
  for (const [path, { before, left }] of netOf(child)) {
    const [was, is] = [await keptImage(before, context), await leftAt(path, left, context)];
    if (was === undefined || is === undefined) uncovered.push(path);
    else (isReferencesPath(path) ? references : changes).push({ path, before: was, after: is });
  }
  return { changes, references, uncovered: [...new Set(uncovered)] };
}

type NetChange = { before: PathStanding; left: PathStanding };

function netOf({ state }: LiveSession): Map<string, NetChange> {
  const net = new Map<string, NetChange>();
  for (const turn of state.changes.trails.keys())
    for (const trail of trailsOf(state.changes, turn)) {
      const { before } = net.get(trail.path) ?? trail;
      net.set(trail.path, { before, left: inForce(trail).at(-1) ?? null });
    }
  for (const [path, { before, left }] of net) if (isSameStanding(before, left)) net.delete(path);
  return net;
}

/**
 * The file's current state if it is still as the subagent left it; else the stored copy, because later edits are
 * someone else's.
 */
async function leftAt(
  path: string,
  left: PathStanding,
  context: CheckpointContext,
): Promise<Image | null | undefined> {
  const now = await presentAt(path, context);
  return now.ok && isSameStanding(standingOf(now.value), left) ? now.value : keptImage(left, context);
}
