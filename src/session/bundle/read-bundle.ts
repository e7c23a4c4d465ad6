/** Reads a bundle. It may come from anyone, so everything is checked before any of it is used. */

import { createHash } from "node:crypto";
import { mib } from "../../base/bound.ts";
import { sha256 } from "../../base/crypto.ts";
import type { Expected } from "../../base/expected.ts";
import { isObject, parseObject, type JsonObject } from "../../base/json.ts";
import { internalise } from "../../protocol/decode.ts";
import { factVersion, type Entry } from "../../protocol/facts.ts";
import { step } from "../../protocol/fold.ts";
import { emptyState } from "../../protocol/session-state.ts";
import { sessionBounds, mostBundleLineBytes } from "../bounds.ts";
import { changesIn } from "../session-images.ts";
import type { Hash, SessionInfo } from "../store.ts";
import { bundleFormat, bundleWord, type Counts, endLine, factStart } from "./bundle.ts";

/** `info` is from the place where the bundle was written. */
export type Bundle = {
  info: SessionInfo;
  entries: Entry[];
  blobs: Map<Hash, Uint8Array>;
  images: Map<Hash, Uint8Array>;
};

/** The problem is one sentence that follows the file's name. */
export async function readBundle(pieces: AsyncIterable<Uint8Array>): Promise<Expected<Bundle>> {
  let only: Expected<Bundle> = { ok: false, problem: foreign };
  for await (const read of readBundles(pieces)) {
    if (only.ok) return read.ok ? { ok: false, problem: several } : read;
    if (!read.ok) return read;
    only = read;
  }
  return only;
}

/** Of a file with any number of sessions, one behind the other. Each is whole before it is yielded; a problem is the last. */
export async function* readBundles(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Expected<Bundle>, void> {
  let reading = new BundleReading(foreign);
  let size = 0;
  let isEmpty = true;
  for await (const line of linesOf(pieces)) {
    size += line.length;
    isEmpty = false;
    const wrong = size > sessionBounds.bundleBytes.most ? tooLarge : reading.take(line);
    if (wrong !== undefined) {
      yield { ok: false, problem: wrong };
      return;
    }
    if (!reading.isOver) continue;
    const read = reading.finish();
    yield read;
    if (!read.ok) return;
    reading = new BundleReading(damaged);
    size = 0;
  }
  if (size > 0 || isEmpty) yield reading.finish();
}

const cut = "it is not whole: it ends in the middle. Export the session again, or copy the file again";
const damaged = "it was damaged or changed after it was written. Copy the file again";
const several = "it has several sessions. Import them with --all";
const foreign =
  "it is not a session that Toolwright exported. Make one with `toolwright sessions export ID --format bundle`";

/** Lines with their line ends; only the last may have none, or be cut where no line of ours goes on. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    let rest = Buffer.from(piece);
    for (let end = rest.indexOf(lineEnd); end !== -1; end = rest.indexOf(lineEnd)) {
      yield Buffer.concat([...held, rest.subarray(0, end + 1)]);
      held = [];
      length = 0;
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) held.push(rest);
    length += rest.length;
    if (length > mostBundleLineBytes) break;
  }
  if (held.length > 0) yield Buffer.concat(held);
}

const lineEnd = 0x0a;
const tooLarge = `it is larger than ${sessionBounds.bundleBytes.most / mib} MiB, or a line of it is larger than ${mostBundleLineBytes / mib} MiB, which no session needs`;

/** Collects the lines. The last line authenticates the others, so none is parsed before it has arrived. */
class BundleReading {
  readonly #digest = createHash("sha256");
  #head: SessionInfo | undefined;
  readonly #facts: string[] = [];
  readonly #contents = { blob: new Map<Hash, Uint8Array>(), image: new Map<Hash, Uint8Array>() };
  readonly #noHead: string;
  #isOver = false;

  /** `noHead`: the problem if this begins as no session does. */
  constructor(noHead: string) {
    this.#noHead = noHead;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Returns the problem with this line, if any. */
  take(bytes: Buffer): string | undefined {
    if (bytes.at(-1) !== lineEnd) {
      if (bytes.length > mostBundleLineBytes) return tooLarge;
      return this.#head ? cut : this.#noHead;
    }
    const text = bytes.subarray(0, -1).toString("utf8");
    if (!this.#head) return this.#takeHead(bytes, text);
    if (text.startsWith('{"end":')) return this.#takeEnd(text);
    this.#digest.update(bytes);
    if (!text.startsWith(factStart)) return this.#takeContent(text);
    this.#facts.push(text.slice(factStart.length, -1));
    return undefined;
  }

  finish(): Expected<Bundle> {
    if (!this.#head) return { ok: false, problem: this.#noHead };
    if (!this.#isOver) return { ok: false, problem: cut };
    const { blob: blobs, image: images } = this.#contents;
    const entries = entriesOf(this.#facts, blobs);
    if (!entries.ok) return entries;
    const wrong = checkEntries(entries.value, this.#head);
    return wrong === undefined
      ? { ok: true, value: { info: this.#head, entries: entries.value, blobs, images } }
      : { ok: false, problem: wrong };
  }

  #takeHead(bytes: Buffer, text: string): string | undefined {
    const head = parseObject(text);
    if (!head.ok || head.value["toolwright"] !== bundleWord) return this.#noHead;
    const { format, id, workspace, createdAt, parent } = head.value;
    if (typeof format === "number" && format > bundleFormat)
      return `a newer version of Toolwright wrote it (format ${format}, this one knows ${bundleFormat}). Update this program`;
    if (format !== bundleFormat || typeof id !== "string" || id === "" || typeof workspace !== "string")
      return damaged;
    if (!isTime(createdAt)) return damaged;
    this.#head = { id, workspace, createdAt, ...(typeof parent === "string" ? { parent } : {}) };
    this.#digest.update(bytes);
    return undefined;
  }

  #takeContent(text: string): string | undefined {
    const parsed = parseObject(text);
    const content = parsed.ok ? contentOf(parsed.value) : undefined;
    if (!content) return damaged;
    const { kind, hash, bytes } = content;
    if (sha256(bytes) !== hash) return `the content ${hash} in it is not what its name says: ${damaged}`;
    this.#contents[kind].set(hash, bytes);
    return undefined;
  }

  /** Compared literally: any change in the file makes this line differ. */
  #takeEnd(text: string): string | undefined {
    this.#isOver = true;
    const { blob, image } = this.#contents;
    const counts: Counts = { facts: this.#facts.length, blobs: blob.size, images: image.size };
    return text === endLine(counts, this.#digest.digest("hex")) ? undefined : damaged;
  }
}

function contentOf(line: JsonObject): { kind: "blob" | "image"; hash: Hash; bytes: Uint8Array } | undefined {
  const kind = typeof line["blob"] === "string" ? "blob" : "image";
  const hash = line[kind];
  const { base64 } = line;
  if (typeof hash !== "string" || typeof base64 !== "string") return undefined;
  return { kind, hash, bytes: new Uint8Array(Buffer.from(base64, "base64")) };
}

function entriesOf(texts: readonly string[], blobs: ReadonlyMap<Hash, Uint8Array>): Expected<Entry[]> {
  try {
    return { ok: true, value: texts.map((text) => internalise(text, (hash) => blobs.get(hash))) };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, problem: "a fact in it is nested too deeply" };
    throw error;
  }
}

/** Checks that facts follow one another as in a session. Additions by later versions are kept. */
function checkEntries(entries: readonly Entry[], head: SessionInfo): string | undefined {
  const [first] = entries;
  if (first?.type !== "session-start" || first.session !== head.id || first.workspace !== head.workspace)
    return "it does not begin as a session does";
  let before = { at: 0, turn: 0 };
  for (const [index, entry] of entries.entries()) {
    const { v, seq, at, turn } = entry;
    if (v > factVersion)
      return `a newer version of Toolwright wrote it (facts of version ${v}, this one knows ${factVersion}). Update this program`;
    const follows = seq === index + 1 && isTime(at) && isNumber(turn) && turn >= before.turn;
    const isNext = turn <= before.turn + 1 && v === factVersion;
    if (!follows || !isNext) return `fact ${index + 1} in it does not follow the one before`;
    if (entry.type === "session-start" && index > 0) return `fact ${seq} in it begins another session`;
    if (entry.type === "unknown" && !isObject(entry.original)) return `fact ${seq} in it is none`;
    if (!changesIn(entry).every(({ path }) => isPlain(path)))
      return `fact ${seq} in it tells of a file outside the workspace`;
    before = { at, turn };
  }
  return canBeFolded(entries) ? undefined : "its facts contradict one another";
}

/** Workspace-relative as recorded: no "..", no detours. */
const isPlain = (path: string): boolean =>
  !path.includes("\0") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");

function canBeFolded(entries: readonly Entry[]): boolean {
  try {
    entries.reduce(step, emptyState());
    return true;
  } catch {
    return false; // whatever the reason: such a session could not be opened
  }
}

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);
/** The last millisecond that has a date (ECMA-262). */
const latest = 8.64e15;
const isTime = (value: unknown): value is number => isNumber(value) && value >= 0 && value <= latest;
