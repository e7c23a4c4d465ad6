/** The mark by which a model says that the task is complete: heard and taken out, however the stream is cut (A27). */

export const doneMark = "[TASK_COMPLETE]";
/** From here on, what the end of the text cuts off can hardly be anything else. */
const telling = "[TASK_".length;

/**
 * What is held back of a text, because it may become the mark. `begun`: how much of the mark each of its beginnings is;
 * there are several where one stands within another.
 */
export type DoneMark = { held: string; begun: number[]; isSaid: boolean };

export const listenForMark = (): DoneMark => ({ held: "", begun: [], isSaid: false });

/** A whole text without the mark. */
export function withoutMarks(text: string): string {
  const state = listenForMark();
  return withoutMark(state, text) + restOf(state);
}

/**
 * What of the text may be shown now. What stands around a mark is no mark either when it has been taken out. Most
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

/** Whether a mark may still come of what is held and this letter, which is held then. */
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

/** Letter by letter: where case is ignored, other alphabets have letters that count as these. */
const isSame = (letter: string, wanted: string): boolean =>
  letter === wanted || (letter >= "a" && letter <= "z" && letter.toUpperCase() === wanted);

/** The rest, when the text is over: the beginning of a mark is dropped, a mere bracket is not. */
export function restOf(state: DoneMark): string {
  let rest = state.held;
  for (let last = state.begun.pop(); last !== undefined && last >= telling; last = state.begun.pop())
    rest = rest.slice(0, -last);
  state.held = "";
  state.begun = [];
  return rest;
}
