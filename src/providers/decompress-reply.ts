/** Decompresses replies: compression is never requested, but a proxy may apply it anyway. */

import type { Transform } from "node:stream";
import { decoderFor, isOfCompression } from "../base/bounded-body.ts";
import type { HttpReply } from "../base/http.ts";
import { ModelError } from "../protocol/model-events.ts";

/** The reply with its body decompressed. Throws ModelError if that is impossible. */
export function decompressReply(reply: HttpReply): HttpReply {
  const decoder = decoderFor(reply.headers["content-encoding"]);
  if (!decoder) return reply;
  if ("problem" in decoder) throw unreadable(decoder.problem);
  return { ...reply, body: through(reply.body, decoder.make) };
}

async function* through(
  body: HttpReply["body"],
  make: (first: Uint8Array) => Transform,
): AsyncGenerator<Uint8Array> {
  const { pipeline, Readable } = process.getBuiltinModule("node:stream");
  const rest = body[Symbol.asyncIterator]();
  const begun = await rest.next();
  if (begun.done === true) return;
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    yield begun.value;
    yield* { [Symbol.asyncIterator]: () => rest };
  };
  try {
    // The pipeline reports all errors through its last stream, which is read here.
    yield* pipeline(Readable.from(whole()), make(begun.value), () => undefined);
  } catch (error) {
    throw isOfCompression(error) ? brokenReply() : error;
  }
}

/** A stream that broke off looks the same, so it is worth asking again. */
const brokenReply = (): ModelError =>
  unreadable("is damaged: it cannot be unpacked.").with({ kind: "server", fault: "stream_error" });

const unreadable = (problem: string): ModelError =>
  new ModelError("malformed", `The provider's reply ${problem}`, {
    advice: "Check what stands between here and its server.",
  });
