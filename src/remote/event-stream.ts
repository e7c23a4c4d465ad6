/** Parses server-sent events (WHATWG HTML, 9.2). An event cut off by the end of the stream is dropped. */

import { mib } from "../base/bound.ts";

/** One event streamed by a gateway, in characters. */
const mostFrameText = 256 * mib;

/** `id` is the latest id received so far. */
type StreamEvent = { event: string; data: string; id: string };

/** Ends with the stream; throws if the stream breaks. Leaving the loop closes the connection. */
export async function* streamEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent, void> {
  let event = "";
  let id = "";
  let data: string[] = [];
  for await (const line of lines(bytes)) {
    const [, field = "", value = ""] = /^([^:]*)(?:: ?([^]*))?$/u.exec(line) ?? [];
    if (field === "data") data.push(value);
    if (field === "event") event = value;
    if (field === "id") id = value;
    if (line !== "") continue;
    if (data.length > 0) yield { event: event === "" ? "message" : event, data: data.join("\n"), id };
    [event, data] = ["", []];
  }
}

/** Yields only complete lines, ended by any of the three line ends. */
async function* lines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of bytes) {
    rest += decoder.decode(piece, { stream: true });
    // A trailing carriage return may be followed by its line feed in the next chunk.
    const whole = rest.endsWith("\r") ? rest.length - 1 : rest.length;
    const found = rest.slice(0, whole).split(/\r\n|\r|\n/u);
    rest = (found.pop() ?? "") + rest.slice(whole);
    if (rest.length > mostFrameText) throw new Error("An event of the stream is too long.");
    yield* found;
  }
}

/** The chunks of a reply; not every browser's streams are async iterable. */
export async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined); // the stream is already broken
  }
}
