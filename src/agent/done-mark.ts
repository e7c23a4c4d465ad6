/** The mark by which a model says that the task is complete: heard and taken out, however the stream is cut (A27). */
const mark = "[TASK_COMPLETE]";
/** Letter by letter: where case is ignored, other alphabets have letters that count as these. */
const marks = /\[[Tt][Aa][Ss][Kk]_[Cc][Oo][Mm][Pp][Ll][Ee][Tt][Ee]\]/gu;
/** From here on, what the end of the text cuts off can hardly be anything else. */
const telling = "[TASK_".length;

/** What is held back of a text, because it may become the mark. */
export type DoneMark = { held: string; isSaid: boolean };

export const listenForMark = (): DoneMark => ({ held: "", isSaid: false });

/** What of the text may be shown now. Most pieces have no bracket and pass untouched: this is the stream's hot path. */
export function withoutMark(state: DoneMark, piece: string): string {
  if (state.held === "" && !piece.includes("[")) return piece;
  const text = state.held + piece;
  const last = [...text.matchAll(marks)].at(-1);
  if (last) state.isSaid = true;
  // What stood before a mark does not become one with what stands behind it.
  const from = last ? last.index + mark.length : 0;
  const at = heldFrom(text, from);
  state.held = text.slice(at);
  return text.slice(0, at).replaceAll(marks, "");
}

/** The rest, when the text is over: the beginning of a mark is dropped, a mere bracket is not. */
export function restOf(state: DoneMark): string {
  const { held } = state;
  state.held = "";
  return held.length >= telling ? "" : held;
}

/** Where the longest end of the text that begins the mark starts. */
function heldFrom(text: string, from: number): number {
  const first = Math.max(from, text.length - mark.length + 1);
  for (let at = text.indexOf("[", first); at !== -1; at = text.indexOf("[", at + 1))
    if (mark.startsWith(text.slice(at).toUpperCase())) return at;
  return text.length;
}
