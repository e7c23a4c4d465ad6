/** Marks where a request and its answer begin (OSC 133), so that a terminal can jump from one request to the next. */

const mark = (letter: "A" | "B" | "C" | "D"): string => `\u001B]133;${letter}\u001B\\`;

/** Rows pass through it in the order in which they are given out. */
export class PromptMarks {
  #last: "nothing" | "request" | "answer" = "nothing";

  request(rows: readonly string[]): readonly string[] {
    const ended = this.#last === "answer" ? mark("D") : "";
    this.#last = "request";
    return onFirst(rows, (row) => ended + mark("A") + row.replace("> ", `> ${mark("B")}`));
  }

  answer(rows: readonly string[]): readonly string[] {
    if (this.#last !== "request" || rows.every((row) => row === "")) return rows;
    this.#last = "answer";
    return onFirst(rows, (row) => mark("C") + row);
  }
}

/** The empty rows before it stand between the two. */
function onFirst(rows: readonly string[], change: (row: string) => string): readonly string[] {
  const first = rows.findIndex((row) => row !== "");
  return rows.map((row, at) => (at === first ? change(row) : row));
}

/** Some terminals print what they do not know of such sequences. */
export function promptMarksFor({ TERM = "dumb", TMUX }: NodeJS.ProcessEnv): PromptMarks | undefined {
  const isKnown = !/^(?:dumb|linux|vt\d*)$/u.test(TERM) && (!TERM.startsWith("screen") || TMUX !== undefined);
  return isKnown ? new PromptMarks() : undefined;
}
