/** Takes a shell's command line apart up to the cursor, and fits an answer into what the shell will replace. */

/** The whole words, without their quotes, and the one that is being written. */
export function splitLine(line: string): { before: string[]; current: string } {
  const before: string[] = [];
  let current: string | undefined;
  let quote = "";
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] ?? "";
    const isEscape = letter === "\\" && quote !== "'";
    if (isEscape) {
      at += 1;
      current = (current ?? "") + (line[at] ?? "");
    } else if (quote !== "") {
      if (letter === quote) quote = "";
      else current = (current ?? "") + letter;
    } else if (letter === "'" || letter === '"') {
      quote = letter;
      current ??= "";
    } else if (!/\s/u.test(letter)) current = (current ?? "") + letter;
    else if (current !== undefined) {
      before.push(current);
      current = undefined;
    }
  }
  return { before, current: current ?? "" };
}

/** bash begins a new word behind such a letter ("--mode=", "ollama/qwen3:"), and replaces only what follows it. */
export function withoutBreaks(word: string, current: string, breaks: string): string {
  const last = Math.max(
    ...["=", ":"].map((letter) => (breaks.includes(letter) ? current.lastIndexOf(letter) : -1)),
  );
  return word.slice(last + 1);
}
