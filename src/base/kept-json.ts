/** Caches JSON that is sent repeatedly: unchanged parts (forms) are built and serialised once. */

import { kib } from "./bound.ts";
import type { Json, JsonObject } from "./json.ts";

/**
 * An encoded message cached for the next request, in bytes. Longer ones, such as pictures, would be held in memory
 * several times.
 */
export const mostKeptMessage = 256 * kib;

/** The bytes of each form; null until it is first serialised. Forms are frozen, so their bytes stay valid. */
const written = new WeakMap<object, Uint8Array | null>();

/**
 * Caches the encoded forms of sources that never change. `besides` identifies everything else that a form depends on:
 * if it changes, the form is rebuilt. The last form of a source lives as long as the source.
 */
export function formsOf() {
  const kept = new WeakMap<object, { besides: string; forms: JsonObject[] }>();
  return (source: object, besides: string, make: () => JsonObject[]): JsonObject[] => {
    const before = kept.get(source);
    if (before?.besides === besides) return before.forms;
    const forms = make();
    for (const form of forms) written.set(Object.freeze(form), null);
    kept.set(source, { besides, forms });
    return forms;
  };
}

/** The output of `JSON.stringify` in UTF-8; each form is serialised once and copied from then on. */
export function jsonBytes(value: Json): Uint8Array {
  const writer = new ByteWriter();
  write(value, writer, 0);
  return writer.end();
}

/** Forms are items of the document's lists, or of lists in those items; below this depth none are looked up. */
const deepest = 4;

function write(value: Json, writer: ByteWriter, depth: number): void {
  const bytes = typeof value === "object" && value !== null ? bytesOf(value) : undefined;
  if (bytes) writer.bytes(bytes);
  else if (typeof value !== "object" || value === null || depth === deepest)
    writer.text(JSON.stringify(value));
  else if (Array.isArray(value)) writeList(value, writer, depth + 1);
  else writeObject(value, writer, depth + 1);
}

function writeList(list: readonly Json[], writer: ByteWriter, depth: number): void {
  writer.text("[");
  for (const [at, each] of list.entries()) {
    if (at > 0) writer.text(",");
    write(each, writer, depth);
  }
  writer.text("]");
}

function writeObject(object: JsonObject, writer: ByteWriter, depth: number): void {
  const fields = Object.entries(object).filter(([, each]) => each !== undefined);
  writer.text("{");
  for (const [at, [key, each]] of fields.entries()) {
    writer.text(`${at > 0 ? "," : ""}${JSON.stringify(key)}:`);
    write(each, writer, depth);
  }
  writer.text("}");
}

/** Returns undefined if the object is not a form. */
function bytesOf(value: object): Uint8Array | undefined {
  const known = written.get(value);
  if (known !== null) return known;
  const bytes = Buffer.from(JSON.stringify(value));
  if (bytes.length <= mostKeptMessage) written.set(value, bytes);
  return bytes;
}

/** Concatenates texts and bytes in order. */
class ByteWriter {
  readonly #pieces: Uint8Array[] = [];
  /** Text added since the last bytes. */
  #pending = "";

  text(part: string): void {
    this.#pending += part;
  }

  bytes(part: Uint8Array): void {
    this.#flush();
    this.#pieces.push(part);
  }

  end(): Uint8Array {
    this.#flush();
    return Buffer.concat(this.#pieces);
  }

  #flush(): void {
    if (this.#pending !== "") this.#pieces.push(this.#pending === "," ? comma : Buffer.from(this.#pending));
    this.#pending = "";
  }
}

/** The separator between two forms: nearly every piece of text is just this comma. */
const comma = Buffer.from(",");
