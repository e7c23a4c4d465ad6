/** History of sent messages, as in a shell: up goes back, down returns to the text being typed. */

/** `at` counts from the newest; -1 is the text being typed, `typed`. */
type Recall = { at: number; typed: string };

export const notRecalling: Recall = { at: -1, typed: "" };

/** `sent`: oldest first. Undefined if there is nothing further in that direction. */
export function recallMessage(
  { at, typed }: Recall,
  { text, sent, to }: { text: string; sent: readonly string[]; to: "older" | "newer" },
): { recall: Recall; text: string } | undefined {
  const next = at + (to === "older" ? 1 : -1);
  if (next < -1 || next >= sent.length) return undefined;
  const kept = at === -1 ? text : typed;
  return next === -1
    ? { recall: notRecalling, text: kept }
    : { recall: { at: next, typed: kept }, text: sent.at(-1 - next) ?? "" };
}
