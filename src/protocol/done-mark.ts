/** The mark by which a model says the task is complete: detected and removed, however the stream is split (A27). */

export const doneMark = "[TASK_COMPLETE]";
/** A trailing fragment of at least this length is almost certainly a truncated mark. */
const telling = "[TASK_".length;

/**
 * Text held back because it may become the mark. `begun`: how many characters of the mark each candidate has matched;
 * there are several when one candidate starts inside another.
 */
export type DoneMark = { held: string; begun: number[]; isSaid: boolean };

export const listenForMark = (): DoneMark => ({ held: "", begun: [], isSaid: false });

/** A whole text without the mark. */
export function withoutMarks(text: string): string {
  const state = listenForMark();
  return withoutMark(state, text) + restOf(state);
}

/**
 * Returns the text that can be shown now. Text that only forms a mark once an inner one is removed is a mark, too. Most
 * pieces have no bracket and pass untouched: this is the stream's hot path.
 */
export function withoutMark(state: DoneMark, piece: string): string {
  if (state.held === "" && !piece.includes("[")) return piece;
  const shown: string[] = [];
  for (let at = 0; at < piece.length; at += 1) {
    if (goesOn(state, piece.charAt(at))) continue;
    const next = piece.indexOf("[", at);
    const end = next === -1 ? piece.length : next;
    shown.push(state.held, piece.slice(at, end));
    state.held = "";
    state.begun = [];
    at = end - 1;
  }
  return shown.join("");
}

/** Whether the held text and this letter may still become a mark; if so, the letter is held as well. */
function goesOn(state: DoneMark, letter: string): boolean {
  const length = state.begun.at(-1) ?? 0;
  if (isSame(letter, doneMark.charAt(length))) state.begun.splice(-1, 1, length + 1);
  else if (letter === "[") state.begun.push(1);
  else return false;
  state.held += letter;
  if (state.begun.at(-1) !== doneMark.length) return true;
  state.begun.pop();
  state.held = state.held.slice(0, -doneMark.length);
  state.isSaid = true;
  return true;
}

/** Compares single letters: case-insensitive matching would also accept letters of other alphabets. */
const isSame = (letter: string, wanted: string): boolean =>
  letter === wanted || (letter >= "a" && letter <= "z" && letter.toUpperCase() === wanted);

/** The held text at the end of the stream: a truncated mark is dropped, a mere bracket is not. */
export function restOf(state: DoneMark): string {
  let rest = state.held;
  for (let last = state.begun.pop(); last !== undefined && last >= telling; last = state.begun.pop())
    rest = rest.slice(0, -last);
  state.held = "";
  state.begun = [];
  return rest;
}
