/** Splits standard input into lines of JSON, however it is cut; a line that cannot be read is told and skipped. */

import { figureOf } from "../../base/bound.ts";
import { otherProgramBounds } from "../../base/bounds.ts";
import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import { type JsonObject, parseObject } from "../../base/json.ts";
import { releaseInput } from "./piped-input.ts";

const most = otherProgramBounds.message;

/** `number` counts from 1, and counts empty lines too, which are not told. `size` is in bytes. */
export type ReadLine = { number: number; size: number; read: Expected<JsonObject> };

/** Ends with the input, or as soon as the signal is aborted. */
export async function* inputLines(
  input: NodeJS.ReadableStream,
  signal: AbortSignal,
): AsyncGenerator<ReadLine> {
  const line = new OpenLine();
  let number = 0;
  const finished = (): ReadLine[] => {
    const { size } = line;
    const read = line.end();
    number += 1;
    return read ? [{ number, size, read }] : [];
  };
  for await (const piece of piecesUntil(input, signal)) {
    const bytes = Buffer.from(piece);
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      line.add(bytes.subarray(start, end));
      yield* finished();
      start = end + 1;
    }
    line.add(bytes.subarray(start));
  }
  yield* finished();
}

/** A line whose end has not arrived. Of one that is too long nothing is kept. */
class OpenLine {
  #pieces: Uint8Array[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    this.#size += piece.length;
    if (this.#size > most.most) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  /** `undefined` for an empty line. */
  end(): Expected<JsonObject> | undefined {
    const size = this.#size;
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    if (size > most.most) return refuse(`The line is longer than ${figureOf(most)}.`);
    return bytes.every((byte) => isBlank(byte)) ? undefined : readLine(bytes);
  }
}

const isBlank = (byte: number): boolean => byte === 32 || byte === 13 || byte === 9;

const decoder = new TextDecoder("utf-8", { fatal: true });

function readLine(bytes: Uint8Array): Expected<JsonObject> {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return refuse("The line is not UTF-8.");
  }
  const parsed = parseObject(text);
  return parsed.ok ? parsed : refuse(`The line is not a JSON object (${parsed.problem}).`);
}

/** Stops listening at the signal: an input that nobody reads would keep the process alive. */
async function* piecesUntil(
  input: NodeJS.ReadableStream,
  signal: AbortSignal,
): AsyncGenerator<string | Buffer> {
  const stop = (): void => releaseInput(input);
  signal.addEventListener("abort", stop);
  try {
    if (!signal.aborted) yield* input;
  } catch (error) {
    if (signal.aborted) return;
    throw new Error(`Standard input cannot be read (${errorMessage(error)}).`, { cause: error });
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}
