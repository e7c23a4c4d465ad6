/** Writes a session as one file: its facts, their long texts and outputs, and the contents undo needs. */

/*
 * Lines of JSON: a header; each fact as stored, followed by its long texts and whole output; the images that undo
 * needs; and a last line with their counts and the SHA-256 of all bytes before it, which reveals any truncation or
 * change.
 */

import { createHash } from "node:crypto";
import { sha256 } from "../../base/crypto.ts";
import type { KeepOut } from "../../base/keep-out.ts";
import { externalise } from "../../protocol/codec.ts";
import type { Entry } from "../../protocol/facts.ts";
import { step } from "../../protocol/fold.ts";
import { emptyState } from "../../protocol/session-state.ts";
import { sessionBounds, mostBundleLineBytes } from "../bounds.ts";
import { pagesOf } from "../pages.ts";
import { neededImages } from "../session-images.ts";
import type { Hash, SessionInfo, Store } from "../store.ts";

/** The format this program writes. A reader refuses later ones. */
export const bundleFormat = 1;
export const bundleWord = "session";

const headLine = ({ id, workspace, createdAt, parent }: SessionInfo): string =>
  JSON.stringify({ toolwright: bundleWord, format: bundleFormat, id, workspace, createdAt, parent });

/** A fact's line has its text exactly as stored, so that a round trip changes nothing. */
export const factStart = '{"fact":';
const factLine = (text: string): string => `${factStart}${text}}`;

type Content = { kind: "blob" | "image"; hash: Hash; bytes: Uint8Array };

const contentLine = ({ kind, hash, bytes }: Content): string =>
  JSON.stringify({ [kind]: hash, base64: Buffer.from(bytes).toString("base64") });

export type Counts = { facts: number; blobs: number; images: number };

export const endLine = (counts: Counts, sha: string): string =>
  JSON.stringify({ end: { ...counts, sha256: sha } });

/** How many outputs and undo contents were left out because the bundle would be too large to read. */
export type BundleNotes = {
  leftOut: number;
  /** Contents for undo are kept byte by byte; those that hold one of these values are left out. */
  keepOut: KeepOut | undefined;
};

/** The bundle's lines, with line ends. `notes` are complete after the last line. Throws StoreError. */
export async function* bundleLines(
  store: Store,
  session: SessionInfo,
  notes: BundleNotes,
): AsyncGenerator<string, void> {
  const writing = new BundleWriting(notes);
  const state = emptyState();
  yield writing.line(headLine(session));
  for await (const page of pagesOf(store, session.id))
    for (const entry of page) {
      step(state, entry);
      const { text, blobs } = externalise(entry, sha256);
      yield writing.fact(text);
      for (const { hash, bytes } of blobs) yield* writing.content({ kind: "blob", hash, bytes });
      const output = await outputOf(entry, store);
      if (output) yield* writing.content({ kind: "blob", ...output });
    }
  for (const { hash } of neededImages(state)) {
    const bytes = await store.image(session.id, hash);
    if (bytes && !isKeptOut(bytes, notes)) yield* writing.content({ kind: "image", hash, bytes });
  }
  yield writing.end();
}

function isKeptOut(bytes: Uint8Array, notes: BundleNotes): boolean {
  const text = Buffer.from(bytes).toString("utf8");
  if (notes.keepOut === undefined || notes.keepOut.text(text) === text) return false;
  notes.leftOut += 1;
  return true;
}

/** The complete output that was truncated for the model; undefined if this store no longer has it. */
async function outputOf(entry: Entry, store: Store): Promise<{ hash: Hash; bytes: Uint8Array } | undefined> {
  if (entry.type !== "result" || entry.full === undefined) return undefined;
  const bytes = await store.getBlob(entry.full.blob);
  return bytes && { hash: entry.full.blob, bytes };
}

/** Room for the JSON around a content, and for the last line. */
const reserve = 1024;

/** Tracks what has been written so far. */
class BundleWriting {
  readonly #digest = createHash("sha256");
  readonly #notes: BundleNotes;
  readonly #written = { blob: new Set<Hash>(), image: new Set<Hash>() };
  #facts = 0;
  #size = 0;

  constructor(notes: BundleNotes) {
    this.#notes = notes;
  }

  line(text: string): string {
    const whole = `${text}\n`;
    this.#size += Buffer.byteLength(whole);
    this.#digest.update(whole);
    return whole;
  }

  fact(text: string): string {
    this.#facts += 1;
    return this.line(factLine(text));
  }

  /** Each content once, as far as there is room. */
  content(content: Content): string[] {
    const { kind, hash, bytes } = content;
    if (this.#written[kind].has(hash)) return [];
    const length = Math.ceil(bytes.length / 3) * 4 + reserve;
    const { bundleBytes } = sessionBounds;
    if (length > mostBundleLineBytes || this.#size + length > bundleBytes.most) {
      this.#notes.leftOut += 1;
      return [];
    }
    this.#written[kind].add(hash);
    return [this.line(contentLine(content))];
  }

  end(): string {
    const { blob, image } = this.#written;
    const counts: Counts = { facts: this.#facts, blobs: blob.size, images: image.size };
    return `${endLine(counts, this.#digest.digest("hex"))}\n`;
  }
}
