/** Gemini's other stream form, used when the path does not say `alt=sse`: one JSON list whose items come one by one. */

import type { StreamForm } from "../wire.ts";

/** `path` includes its query. */
export function streamAt(path: string): StreamForm | undefined {
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
