/** Images of a path's present and earlier states: read from disk, from the store, and described for facts. */

import { fileBounds } from "../../base/bounds.ts";
import type { Expected } from "../../base/expected.ts";
import { bytesOfImage, type FileContent, hashOfImage, type Image, modeOf } from "../../base/safe-fs/image.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import type { ChangedFile } from "../../protocol/facts.ts";
import type { PathStanding } from "../../protocol/fold-changes.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import { type Hash, type Store, StoreError } from "../store.ts";
import { countLines } from "./lines.ts";

/** Everything that undo, review and recovery may access. */
export type CheckpointContext = {
  state: SessionState;
  files: Tree;
  store: Pick<Store, "image" | "keepImage" | "dropImages">;
  /** Why these paths may not be written, in a sentence. */
  forbids?: (paths: readonly string[]) => string | undefined;
};

/** No tool plans a larger change. */
const maxBytes = fileBounds.undoFileBytes.most;

/** The path's present state. A path below a file or a link counts as absent. */
export async function presentAt(path: string, { files }: CheckpointContext): Promise<Expected<Image | null>> {
  const found = await files.image(path, { maxBytes });
  if (found.ok) return found;
  const { code, message } = found.problem;
  return ["ENOTDIR", "ELOOP"].includes(code) ? { ok: true, value: null } : { ok: false, problem: message };
}

/**
 * Stores the image for `owner`; the returned image reads its content from the store, so that many files need not be in
 * memory at once.
 */
export async function keepPresent(
  image: Image | null,
  owner: string,
  context: CheckpointContext,
): Promise<Image | null> {
  if (image === null || image.kind === "directory") return image;
  const bytes = await bytesOfImage(image);
  const hash = await context.store.keepImage(context.state.session, owner, bytes);
  return image.kind === "link" ? image : { ...image, content: keptContent(hash, bytes.length, context) };
}

/** An earlier state from the store; undefined if its content was dropped. */
export async function keptImage(
  standing: PathStanding,
  context: CheckpointContext,
): Promise<Image | null | undefined> {
  if (standing === null) return null;
  const { kind, hash, mode } = standing;
  if (kind === "directory") return { kind, ...(mode === undefined ? {} : { mode }) };
  const bytes = await keptBytes(hash, context);
  if (bytes === undefined) return undefined;
  if (kind === "link") return { kind, target: new TextDecoder().decode(bytes) };
  const content = keptContent(hash, bytes.length, context);
  // Most images are read once more, to count their lines.
  let held: Uint8Array | undefined = bytes;
  const read = async (): Promise<Uint8Array> => {
    const first = held;
    held = undefined;
    return first ?? content.read();
  };
  return { kind, content: { ...content, read }, ...(mode === undefined ? {} : { mode }) };
}

function keptContent(hash: Hash, size: number, context: CheckpointContext): FileContent {
  const read = async (): Promise<Uint8Array> => {
    const bytes = await keptBytes(hash, context);
    if (bytes === undefined)
      throw new StoreError("An earlier content was dropped while it was needed. Try again.");
    return bytes;
  };
  return { hash, size, read };
}

export const keptBytes = (hash: Hash, { state, store }: CheckpointContext): Promise<Uint8Array | undefined> =>
  store.image(state.session, hash);

export function standingOf(image: Image | null): PathStanding {
  const hash = hashOfImage(image);
  if (image === null || hash === null) return null;
  const mode = modeOf(image);
  return { kind: image.kind, hash, ...(mode === undefined ? {} : { mode }) };
}

/** A change as facts describe it; an `after` without a mode has that of `before`. */
export async function describeChange(
  path: string,
  before: Image | null,
  after: Image | null,
): Promise<ChangedFile> {
  const [old, now] = [await lineBytes(before), await lineBytes(after)];
  const counts = old === undefined || now === undefined ? { added: 0, removed: 0 } : countLines(old, now);
  const change = { path, before: hashOfImage(before), after: hashOfImage(after), ...counts };
  if (before?.kind === "file" && after?.kind === "file" && (after.mode ?? before.mode) === before.mode)
    return change;
  const [was, is] = [
    standingIn(before),
    standingIn(after, after?.kind === before?.kind ? modeOf(before) : undefined),
  ];
  return { ...change, ...(was ? { was } : {}), ...(is ? { is } : {}) };
}

type StandingInFacts = NonNullable<ChangedFile["was"]>;

function standingIn(image: Image | null, otherMode?: number): StandingInFacts | undefined {
  if (image === null) return undefined;
  const mode = image.kind === "link" ? undefined : (image.mode ?? otherMode);
  return { kind: image.kind, ...(mode === undefined ? {} : { mode }) };
}

/** Links and directories have no lines to count. */
async function lineBytes(image: Image | null): Promise<Uint8Array | null | undefined> {
  if (image === null) return null;
  return image.kind === "file" ? bytesOfImage(image) : undefined;
}
