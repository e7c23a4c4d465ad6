/** Finds what a person means by a few letters of it: `stt` finds `src/total.test.ts`. Pure. */

/** `score`: higher is nearer. `at`: the places of the letters, for marking them. */
type FuzzyMatch = { score: number; at: readonly number[] };

/** Longer candidates are matched by their end, where a file's name is. */
const longestCandidate = 512;
const longestQuery = 64;

const perLetter = 1;
const afterBorder = 8;
const inARow = 9;
const inName = 3;
const whole = 12;

/**
 * All letters must occur in order. Letters in a row, at the start of a word and in the last part of a path count more;
 * the best way of finding them counts. A capital in the query means a capital.
 */
export function fuzzyMatch(query: string, candidate: string): FuzzyMatch | undefined {
  if (query === "") return { score: 0, at: [] };
  const offset = Math.max(0, candidate.length - longestCandidate);
  const text = candidate.slice(offset);
  const ignoresCase = query === query.toLowerCase();
  const seen = ignoresCase ? text.toLowerCase() : text;
  // A letter that changes its length in lower case would shift the places.
  const compared = seen.length === text.length ? seen : text;
  if (query.length > longestQuery || !occurs(query, compared)) return undefined;
  const best = bestPlaces(query, compared, text);
  const at = best.at.map((place) => place + offset);
  const name = nameOf(text).toLowerCase();
  const isWhole = name === query.toLowerCase() || name.replace(/\.[^.]*$/u, "") === query.toLowerCase();
  return { score: best.score + (isWhole ? whole : 0) - candidate.length / 64, at };
}

function occurs(query: string, text: string): boolean {
  let at = 0;
  for (const unit of query.split("")) {
    at = text.indexOf(unit, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

const nameOf = (path: string): string => path.replace(/\/$/u, "").replace(/^.*\//su, "");

/** Dynamic programming over the letters of the query and of the text. */
function bestPlaces(query: string, compared: string, text: string): FuzzyMatch {
  const name = text.length - nameOf(text).length - (text.endsWith("/") ? 1 : 0);
  const columns = text.length;
  /** The best score with this letter of the query at this place, and the place of the letter before it. */
  let scores = new Float64Array(columns).fill(-Infinity);
  const before: Int32Array[] = [];
  for (let letter = 0; letter < query.length; letter++) {
    const next = new Float64Array(columns).fill(-Infinity);
    const from = new Int32Array(columns).fill(-1);
    let best = letter === 0 ? 0 : -Infinity;
    let bestAt = -1;
    for (let place = 0; place < columns; place++) {
      if (compared[place] === query[letter]) {
        const own = perLetter + (isBorder(text, place) ? afterBorder : 0) + (place >= name ? inName : 0);
        const row = place > 0 && letter > 0 ? (scores[place - 1] ?? -Infinity) + inARow : -Infinity;
        next[place] = own + Math.max(best, row);
        from[place] = row > best ? place - 1 : bestAt;
      }
      const score = scores[place] ?? -Infinity;
      if (letter > 0 && score > best) [best, bestAt] = [score, place];
    }
    scores = next;
    before.push(from);
  }
  return { score: Math.max(...scores), at: placesOf(before, scores) };
}

function placesOf(before: readonly Int32Array[], scores: Float64Array): number[] {
  const at: number[] = [];
  let place = scores.indexOf(Math.max(...scores));
  for (const from of before.toReversed()) {
    at.unshift(place);
    place = from[place] ?? -1;
  }
  return at;
}

/** The start of a word: after a separator, or a capital after a small letter. */
function isBorder(text: string, place: number): boolean {
  const before = text[place - 1];
  if (before === undefined || /[\s/._:-]/u.test(before)) return true;
  return /\p{Ll}|\d/u.test(before) && /\p{Lu}/u.test(text[place] ?? "");
}

/** Those that match, best first; among equals the earlier ones, so the order of the candidates is their rank. */
export function fuzzyRanked<Candidate>(
  query: string,
  candidates: readonly Candidate[],
  nameOf: (candidate: Candidate) => string,
): (FuzzyMatch & { candidate: Candidate })[] {
  return candidates
    .flatMap((candidate) => {
      const match = fuzzyMatch(query, nameOf(candidate));
      return match ? { ...match, candidate } : [];
    })
    .toSorted((one, other) => other.score - one.score);
}
