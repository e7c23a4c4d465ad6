/** What a call has changed, as diffs of whole files. */

import { resolve } from "node:path";
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import { attempt } from "../base/expected.ts";
import type { SessionHost } from "../hosting/session-host.ts";
import type { ChangedFile } from "../protocol/facts.ts";
import { acpBounds } from "./bounds.ts";

type ChangedSession = { host: Pick<SessionHost, "image">; id: string; workspace: string };

/** Leaves out deleted files, which the result names, and those that are no text or too long. */
export async function changeDiffs(
  changes: readonly ChangedFile[],
  session: ChangedSession,
): Promise<ToolCallContent[]> {
  const diffs = changes.map(async ({ path, before, after }): Promise<ToolCallContent[]> => {
    const [oldText, newText] = await Promise.all([textOf(before, session), textOf(after, session)]);
    if (oldText === undefined || newText === undefined || newText === null) return [];
    return [{ type: "diff", path: resolve(session.workspace, path), oldText, newText }];
  });
  return (await Promise.all(diffs)).flat();
}

/** Null where there is no file; undefined for what is no text, too long, or not kept any more. */
async function textOf(hash: string | null, { host, id }: ChangedSession): Promise<string | null | undefined> {
  if (hash === null) return null;
  const bytes = await host.image(id, hash);
  if (!bytes || bytes.length > acpBounds.diffed.most) return undefined;
  return attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}
