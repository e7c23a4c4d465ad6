/** JSON that is sent again and again: parts of it that stay the same are made and written once. */

import { bounds } from "./bounds.ts";
import type { Json, JsonObject } from "./json.ts";

/** Only of forms; null until one is written. They are frozen, so what was written cannot become wrong. */
const written = new WeakMap<object, Uint8Array | null>();

/**
 * What sources that never change look like in a format. `besides` is all that a form depends on besides its source:
 * where that is another one, the form is made anew. The last form of a source is kept for as long as the source lives.
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

/** What `JSON.stringify` makes, in UTF-8; forms are written once, and copied from then on. */
export function jsonBytes(value: Json): Uint8Array {
  const writer = new ByteWriter();
  write(value, writer, 0);
  return writer.end();
}

/** Pictures are longer: they would be held several times. */
const longestKept = bounds.model.keptMessage.most;

/** Forms stand in lists of the whole or of what those lists hold; deeper in, nobody is looked for. */
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

/** Undefined where it is no form. */
function bytesOf(value: object): Uint8Array | undefined {
  const known = written.get(value);
  if (known !== null) return known;
  const bytes = Buffer.from(JSON.stringify(value));
  if (bytes.length <= longestKept) written.set(value, bytes);
  return bytes;
}

/** Puts texts and bytes together in their order. */
class ByteWriter {
  readonly #pieces: Uint8Array[] = [];
  /** What has come since the last bytes. */
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

/** Between two forms: nearly all pieces of text are one. */
const comma = Buffer.from(",");
