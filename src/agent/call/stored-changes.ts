/** Changes that wait with their contents stored: staged under a token (B8), or described for a question. */

import { fileBounds } from "../../base/bounds.ts";
import { randomId } from "../../base/crypto.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { bytesOfImage, type Change, type Image } from "../../base/safe-fs/image.ts";
import { shownPath } from "../../base/safe-fs/problems.ts";
import type { ChangedFile, Fact } from "../../protocol/facts.ts";
import { isSameStanding, standingsOf } from "../../protocol/fold-changes.ts";
import { stagedForMs, usable } from "../../protocol/fold-staged.ts";
import { standingOf } from "../../session/checkpoints/images.ts";
import { toolBounds } from "../../tools/bounds.ts";
import { diffOf } from "../../tools/changes/diff.ts";
import { stagedWords } from "../../tools/preview.ts";
import { forModel, type ToolContext, type ToolResult } from "../../tools/tool.ts";
import type { TurnContext } from "../turn-context.ts";
import type { ChangePlan } from "./change.ts";

/** The fact to record for staged changes, and the result for the model. */
export type StagedResult = { fact: Fact; produced: ToolResult };

/** `isByMode`: the call meant to make them. `withheld`: for changes that were not decided on path by path, those of a command. */
type Staging = { callId: string; isByMode: boolean; withheld?: ToolContext["withheld"] };

async function shownDiffOf(
  changes: readonly Change[],
  withheld: ToolContext["withheld"] = async () => undefined,
): Promise<string> {
  const shown: Change[] = [];
  const notes: string[] = [];
  for (const change of changes) {
    const why = await withheld(change.path);
    if (why) notes.push(`[${shownPath(change.path)} changes too, which is not shown: ${why.because}.]\n`);
    else shown.push(change);
  }
  return (await diffOf(shown, toolBounds.resultPage.most)) + notes.join("");
}

/** B8: stores the changes under a token and shows them; no file is changed. */
export async function stagePlan(
  { produced, changes, described }: ChangePlan,
  { callId, isByMode, withheld }: Staging,
  context: TurnContext,
): Promise<StagedResult> {
  const token = randomId();
  for (const { after } of changes) if (after) await context.keepImage(token, await bytesOfImage(after));
  const expiresAt = context.now() + stagedForMs;
  const fact: Fact = { type: "change-staged", callId, token, changes: described, expiresAt };
  const diffPreview = await shownDiffOf(changes, withheld);
  const words = stagedWords(token, diffPreview);
  const metadata = {
    ...produced.metadata,
    token,
    diffPreview,
    ...(isByMode ? { legacyTranslated: true } : {}),
  };
  const said = produced.content.length > 0 && !isByMode ? produced.content : [];
  return { fact, produced: { ...produced, content: [...said, ...forModel(words)], metadata } };
}

/** The changes staged under a token, provided that the files still have the contents recorded then (hash `before`). */
export async function stagedChanges(token: string, context: TurnContext): Promise<Expected<Change[]>> {
  const found = usable(context.log.state.staged, token, context.now());
  if (!found.ok) return found;
  return storedChanges(found.staged.changes, context, staging);
}

const staging = { since: "this was staged", advice: "Read it and stage the change anew." };
const showing = { since: "this was shown", advice: "Read it and try again." };

/** Changes that were described and stored earlier, provided that the files still are as they were then. */
export async function storedChanges(
  described: readonly ChangedFile[],
  context: TurnContext,
  { since, advice } = showing,
): Promise<Expected<Change[]>> {
  const changes: Change[] = [];
  for (const file of described) {
    const now = await context.files.image(file.path, { maxBytes: fileBounds.undoFileBytes.most });
    if (!now.ok) return refuse(`${now.problem.message}; nothing was changed.`);
    if (!isSameStanding(standingOf(now.value), standingsOf(file).before))
      return refuse(`${file.path} has changed since ${since}; nothing was changed. ${advice}`);
    const after = await imageOf(file, context);
    if (after === undefined)
      return refuse(`The content of ${file.path} that was to be written is not kept any more. ${advice}`);
    changes.push({ path: file.path, before: now.value, after });
  }
  return { ok: true, value: changes };
}

/** The file a described change results in; undefined if its stored content is gone. */
async function imageOf({ after, is }: ChangedFile, context: TurnContext): Promise<Image | null | undefined> {
  if (after === null) return null;
  const mode = is?.mode === undefined ? {} : { mode: is.mode };
  if (is?.kind === "directory") return { kind: "directory", ...mode };
  const bytes = await context.image(after);
  if (bytes === undefined) return undefined;
  if (is?.kind === "link") return { kind: "link", target: new TextDecoder().decode(bytes) };
  return { kind: "file", content: { hash: after, size: bytes.length, read: async () => bytes }, ...mode };
}
