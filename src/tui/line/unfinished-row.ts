/** The unfinished row of streaming text; while a person types below it, the status line shows it instead. */

import type { TextColour } from "../../view/style.ts";

/** `erase` takes a text that stands before the cursor off the screen. */
type Screen = { write: (text: string) => void; erase: (text: string) => void };

/** A longer one (of code without line ends) stays where it is. */
const longest = 10_000;

export class UnfinishedRow {
  readonly #screen: Screen;
  /** As on the screen, but for its colour. */
  #text = "";
  #paint: TextColour = String;
  #isLifted = false;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** What the status line has to show for it. */
  get lifted(): { text: string; paint: TextColour } | undefined {
    return this.#isLifted ? { text: this.#text, paint: this.#paint } : undefined;
  }

  /** Appends streamed text; of a lifted row, only its finished lines are printed. */
  append(fresh: string, paint: TextColour): void {
    const all = withoutWiped(this.#text + fresh);
    const start = all.lastIndexOf("\n") + 1;
    if (!this.#isLifted) this.#screen.write(paint(fresh));
    else if (start > 0) this.#screen.write(paint(all.slice(0, start)));
    this.#text = all.slice(start);
    this.#paint = paint;
  }

  /** Takes it off the screen: from now on the status line shows it. False if it is too long for that. */
  lift(): boolean {
    if (this.#isLifted) return true;
    if (this.#text.length > longest) return false;
    this.#screen.erase(this.#text);
    this.#isLifted = true;
    return true;
  }

  /** Puts it back where the text goes on. */
  lower(): void {
    if (!this.#isLifted) return;
    this.#isLifted = false;
    this.#screen.write(this.#paint(this.#text));
  }

  /** Its line has ended, or nothing follows. */
  end(): void {
    this.lower();
    this.#text = "";
  }
}

/** Carries out what `WordWrap` asks of the terminal: to wipe the last columns. */
function withoutWiped(text: string): string {
  const at = text.indexOf("\u001B["); // the text is sanitized: nothing else begins like this
  if (at === -1) return text;
  const columns = Number.parseInt(text.slice(at + 2), 10);
  return withoutWiped(text.slice(0, at - columns) + text.slice(text.indexOf("K", at) + 1));
}
