/** Bytes as a hostile network delivers them: cut anywhere. */

/** Cuts bytes at the given offsets; any numbers will do, they are folded into range. */
export async function* cutBytes(bytes: Uint8Array, places: readonly number[]): AsyncGenerator<Uint8Array> {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    yield bytes.subarray(start, end);
    start = end;
  }
}
