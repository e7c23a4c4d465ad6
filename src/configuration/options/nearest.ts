/** Guesses which word a person meant: "did you mean". */

/** ` (did you mean "mode"?)`, or nothing when no word is near. */
export function didYouMean(written: string, words: readonly string[]): string {
  const near = words
    .map((word) => ({ word, distance: editDistance(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.min(2, Math.floor(word.length / 2)))
    .toSorted((a, b) => a.distance - b.distance)[0];
  return near ? ` (did you mean "${near.word}"?)` : "";
}

/** The number of letters to add, drop, replace or swap (optimal string alignment). Long words are never near. */
export function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (same ? 0 : 1),
        swapped ? at(i - 2, j - 2) + 1 : Infinity,
      );
    }
  }
  return at(a.length, b.length);
}
