/** The body of a request: JSON of bounded size and depth, or bytes as they come. */
import { bounds } from "../../base/bounds.ts";
import { type Json, parseJson } from "../../base/json.ts";
import { isTextDeeperThan } from "../../base/json-depth.ts";
import { type Refusal, refusal } from "./refusal.ts";

export type ReadBody = { ok: true; value: Json; bytes: number } | { ok: false; refused: Refusal };

const { depth } = bounds.gateway;

/** Nothing at all is an empty object, where the content type does not say otherwise. */
export async function readJsonBody(request: Request, mostBytes: number): Promise<ReadBody> {
  const isEmpty = isWithoutBody(request);
  const odd = contentProblem(request, "application/json", isEmpty);
  if (odd) return { ok: false, refused: odd };
  if (isEmpty) return { ok: true, value: {}, bytes: 0 };
  const text = await readText(request, mostBytes);
  if (!text.ok) return text;
  if (isTextDeeperThan(depth.most, text.value))
    return bad(`The body is nested more than ${depth.most} deep.`);
  const parsed = parseJson(text.value);
  if (!parsed.ok) return bad(`The body is not JSON: ${parsed.problem}.`);
  return { ok: true, value: parsed.value, bytes: text.bytes };
}

/** From the headers where they tell it: a body that was looked at cannot be passed over any more when it is refused. */
function isWithoutBody(request: Request): boolean {
  const length = request.headers.get("content-length");
  if (length !== null) return length === "0";
  return !request.headers.has("transfer-encoding") && request.body === null;
}

/** A form or a plain link of another site can send no other type than its own few, and none of them is ours. */
export function contentProblem(request: Request, type: string, mayBeAbsent = false): Refusal | undefined {
  const given = request.headers.get("content-type");
  if (given === null && mayBeAbsent) return undefined;
  const [essence = "", ...parameters] = (given ?? "").toLowerCase().split(";");
  const isUtf8 = parameters.every((one) => /^\s*charset\s*=\s*"?utf-8"?\s*$/u.test(one));
  const coding = request.headers.get("content-encoding") ?? "identity";
  if (coding.toLowerCase() !== "identity")
    return refusal(
      415,
      "wrong-content-type",
      "The body is compressed, which this does not take: send it plain.",
    );
  if (essence.trim() === type && isUtf8) return undefined;
  return refusal(415, "wrong-content-type", `The content type of this request is ${type}.`);
}

type ReadText = { ok: true; value: string; bytes: number } | { ok: false; refused: Refusal };

async function readText(request: Request, mostBytes: number): Promise<ReadText> {
  const tooLarge = { ok: false, refused: tooLargeFor(mostBytes) } as const;
  if (Number(request.headers.get("content-length") ?? 0) > mostBytes) return tooLarge;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of piecesOf(request)) {
    bytes += piece.length;
    if (bytes > mostBytes) return tooLarge;
    pieces.push(piece);
  }
  try {
    return {
      ok: true,
      value: new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces)),
      bytes,
    };
  } catch {
    return bad("The body is not UTF-8.");
  }
}

export const tooLargeFor = (mostBytes: number): Refusal =>
  refusal(413, "too-large", `The body is larger than ${mostBytes} bytes, which is what this takes.`);

/** Throws BodyCutOff. */
export async function* piecesOf({ body }: Request): AsyncGenerator<Uint8Array, void> {
  if (!body) return;
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (let next = await nextOf(pieces); !next.done; next = await nextOf(pieces))
      if (next.value instanceof Uint8Array) yield next.value;
  } finally {
    await pieces.return?.().catch(() => undefined);
  }
}

const nextOf = (pieces: AsyncIterator<unknown>): Promise<IteratorResult<unknown>> =>
  pieces.next().catch(() => {
    throw new BodyCutOff("The connection ended before the body did.");
  });

/** The client has gone, and nobody hears the reply. */
export class BodyCutOff extends Error {
  override readonly name = "BodyCutOff";
}

const bad = (message: string) => ({ ok: false, refused: refusal(400, "bad-request", message) }) as const;
