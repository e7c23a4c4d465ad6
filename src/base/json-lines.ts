/** Splits a stream of JSON lines at line feeds only: `node:readline` also splits at U+2028, which a JSON text may hold. */

/** The lines without their line feeds; the last one may lack it. */
export async function* jsonLines(pieces: AsyncIterable<Uint8Array | string>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let open: string[] = [];
  for await (const piece of pieces) {
    const text = typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
    const [first = "", ...others] = text.split("\n");
    open.push(first);
    for (const line of others) {
      yield open.join("");
      open = [line];
    }
  }
  const last = open.join("") + decoder.decode();
  if (last !== "") yield last;
}

/** JSON on one line, without the characters that some readers take for line ends. */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[\u0085\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
