/** Gemini: generateContent and streamGenerateContent?alt=sse (ai.google.dev/api/generate-content). */

import { attempt } from "../../base/expected.ts";
import type { Wire, StreamForm } from "../wire.ts";
import { encodeAsk } from "./ask.ts";
import { decodeError, encodeError } from "./errors.ts";
import { decodeBatches, decodeWhole } from "./events.ts";
import { told } from "./model-list.ts";
import { encodeEvents, encodeWhole } from "./reply.ts";
import { decodeAsk } from "./request.ts";
import { wireName } from "./state.ts";

/** The base URL includes the version: "https://generativelanguage.googleapis.com/v1beta". */
export const gemini: Wire = {
  name: wireName,
  path: (model, { streamed }) =>
    `/models/${segments(model)}:${streamed ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  headers: (key): Record<string, string> => (key === undefined ? {} : { "x-goog-api-key": key }),
  encodeAsk,
  decodeBatches,
  decodeWhole,
  decodeError,
  streamType: "text/event-stream",
  conversation: "contents",
  asked: ["/v1beta", "/v1alpha", "/v1", ""].map((version) => `${version}/models/:name{.+}`),
  told,
  streamAt,
  match,
  decodeAsk,
  encodeEvents,
  encodeWhole,
  encodeError,
};

/** The API's own list calls its models "models/<name>"; both spellings are accepted. */
const segments = (model: string): string =>
  model
    .replace(/^models\//, "")
    .toWellFormed()
    .split("/")
    .map(encodeURIComponent)
    .join("/");

function match(path: string): { model: string; streamed: boolean } | undefined {
  const [bare = ""] = path.split("?");
  const found = /^(?:\/v1(?:alpha|beta)?)?\/models\/(.+):(streamGenerateContent|generateContent)$/.exec(bare);
  const model = decodeComponent(found?.[1] ?? "");
  return model ? { model, streamed: found?.[2] === "streamGenerateContent" } : undefined;
}

const decodeComponent = (text: string): string | undefined => attempt(() => decodeURIComponent(text));

/** `path` includes its query. */
function streamAt(path: string): StreamForm | undefined {
  const [bare = "", query = ""] = path.split("?");
  const isList = bare.endsWith(":streamGenerateContent") && new URLSearchParams(query).get("alt") !== "sse";
  return isList ? { type: "application/json", rewrite: asList } : undefined;
}

/** Each text is one event of one line: "data: {…}" and an empty line. */
async function* asList(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let opening = "[";
  for await (const text of texts) {
    yield opening + text.slice("data: ".length).trimEnd();
    opening = ",\r\n";
  }
  yield opening === "[" ? "[]" : "]";
}
