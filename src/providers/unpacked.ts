/** Replies that come compressed: nobody asks for it, but a proxy may do it all the same. */

import type { Transform } from "node:stream";
import { decoderFor, isOfCompression } from "../base/bounded-body.ts";
import type { HttpReply } from "../base/http.ts";
import { ModelError } from "../protocol/model-events.ts";

/** The reply with its body as it was before it was compressed. Throws ModelError for what nobody can read. */
export function unpacked(reply: HttpReply): HttpReply {
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
    // What fails on the way is thrown by the last one, which is read here.
    yield* pipeline(Readable.from(whole()), make(begun.value), () => undefined);
  } catch (error) {
    throw isOfCompression(error) ? unreadable("is damaged: it cannot be unpacked.") : error;
  }
}

const unreadable = (problem: string): ModelError =>
  new ModelError("malformed", `The provider's reply ${problem}`, {
    advice: "Check what stands between here and its server.",
  });
