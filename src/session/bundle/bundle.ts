/** A session as one file: its facts, the texts and outputs kept beside them, and the contents that undo needs. */

/*
 * Lines of JSON: what it is; each fact as it is stored, with its long texts and whole output behind it; the images that
 * undo needs; and at the end how many there were, with the SHA-256 of all bytes before. So a file that was cut or changed
 * anywhere is known for it.
 */

import { createHash } from "node:crypto";
import { bounds } from "../../base/bounds.ts";
import { sha256 } from "../../base/crypto.ts";
import { externalise } from "../../protocol/codec.ts";
import type { Entry } from "../../protocol/facts.ts";
import { step } from "../../protocol/fold.ts";
import { emptyState } from "../../protocol/session-state.ts";
import { pagesOf } from "../pages.ts";
import { neededImages } from "../session-images.ts";
import type { Hash, SessionInfo, Store } from "../store.ts";

/** The format that this program writes. A reader refuses a later one. */
export const bundleFormat = 1;
export const bundleWord = "session";

const headLine = ({ id, workspace, createdAt }: SessionInfo): string =>
  JSON.stringify({ toolwright: bundleWord, format: bundleFormat, id, workspace, createdAt });

/** The text of a fact stands in its line as it is stored, so that reading and writing it changes nothing. */
export const factStart = '{"fact":';
const factLine = (text: string): string => `${factStart}${text}}`;

type Content = { kind: "blob" | "image"; hash: Hash; bytes: Uint8Array };

const contentLine = ({ kind, hash, bytes }: Content): string =>
  JSON.stringify({ [kind]: hash, base64: Buffer.from(bytes).toString("base64") });

export type Counts = { facts: number; blobs: number; images: number };

export const endLine = (counts: Counts, sha: string): string =>
  JSON.stringify({ end: { ...counts, sha256: sha } });

/** How many outputs and contents for undo were left out, because the bundle could not be read again with them. */
export type BundleNotes = { leftOut: number };

/** Its lines, each with its line end. `notes` are whole when the last one was taken. Throws StoreError. */
export async function* bundleLines(
  store: Store,
  session: SessionInfo,
  notes: BundleNotes = { leftOut: 0 },
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
    if (bytes) yield* writing.content({ kind: "image", hash, bytes });
  }
  yield writing.end();
}

/** The whole of an output that was cut for the model; none where it was missing here already. */
async function outputOf(entry: Entry, store: Store): Promise<{ hash: Hash; bytes: Uint8Array } | undefined> {
  if (entry.type !== "result" || entry.full === undefined) return undefined;
  const bytes = await store.getBlob(entry.full.blob);
  return bytes && { hash: entry.full.blob, bytes };
}

/** For what stands around a content, and the last line. */
const reserve = 1024;

/** What has been written so far. */
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

  /** Each once, as far as there is room. */
  content(content: Content): string[] {
    const { kind, hash, bytes } = content;
    if (this.#written[kind].has(hash)) return [];
    const length = Math.ceil(bytes.length / 3) * 4 + reserve;
    const { bundleLine, bundleBytes } = bounds.session;
    if (length > bundleLine.most || this.#size + length > bundleBytes.most) {
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
