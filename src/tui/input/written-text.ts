/** A text of several lines with a cursor; every change can be undone. What a change costs depends on its lines only. */

/** `at`: UTF-16 units in the line. */
export type Position = { line: number; at: number };

export const isBefore = (one: Position, other: Position): boolean =>
  one.line < other.line || (one.line === other.line && one.at < other.at);

/** `removed` stood at `from`, where `inserted` stands now. */
type TextChange = { from: Position; removed: string; inserted: string; cursor: Position };

/** Changes that can be undone, and the characters in them. */
const mostChanges = 2_000;
const mostChanged = 8 * 1024 * 1024;

export class WrittenText {
  #lines: string[] = [""];
  #cursor: Position = { line: 0, at: 0 };
  #changes: TextChange[] = [];
  #changed = 0;
  /** What is typed next belongs to the newest change. */
  #goesOn = false;

  get lines(): readonly string[] {
    return this.#lines;
  }

  get text(): string {
    return this.#lines.join("\n");
  }

  get isEmpty(): boolean {
    return this.#lines.length === 1 && this.#lines[0] === "";
  }

  get cursor(): Position {
    return this.#cursor;
  }

  get end(): Position {
    const line = this.#lines.length - 1;
    return { line, at: this.lineAt(line).length };
  }

  lineAt(line: number): string {
    return this.#lines[line] ?? "";
  }

  moveTo(position: Position): void {
    this.#goesOn = false;
    this.#cursor = position;
  }

  between(from: Position, to: Position): string {
    if (from.line === to.line) return this.lineAt(from.line).slice(from.at, to.at);
    const first = this.lineAt(from.line).slice(from.at);
    const last = this.lineAt(to.line).slice(0, to.at);
    return [first, ...this.#lines.slice(from.line + 1, to.line), last].join("\n");
  }

  /** The cursor is behind what was inserted then. Returns what was removed. */
  replace(from: Position, to: Position, text: string): string {
    const removed = this.between(from, to);
    if (removed === "" && text === "") return removed;
    this.#remember({ from, removed, inserted: text, cursor: this.#cursor });
    this.#cursor = this.#put(from, to, text);
    return removed;
  }

  /** The same for what is typed: a word is undone as a whole. */
  type(text: string): void {
    const last = this.#changes.at(-1);
    const goesOn = this.#goesOn && last && /^\S/u.test(text);
    const at = this.#cursor;
    if (goesOn) {
      this.#cursor = this.#put(at, at, text);
      last.inserted += text;
      this.#changed += text.length;
    } else this.replace(at, at, text);
    this.#goesOn = text !== "" && !text.includes("\n");
  }

  /** Returns whether there was a change to undo. */
  undo(): boolean {
    this.#goesOn = false;
    const change = this.#changes.pop();
    if (!change) return false;
    this.#changed -= sizeOf(change);
    this.#put(change.from, endOf(change.from, change.inserted), change.removed);
    this.#cursor = change.cursor;
    return true;
  }

  #remember(change: TextChange): void {
    this.#goesOn = false;
    this.#changes.push(change);
    this.#changed += sizeOf(change);
    while (this.#changes.length > 1 && (this.#changed > mostChanged || this.#changes.length > mostChanges)) {
      const [oldest] = this.#changes.splice(0, 1);
      if (oldest) this.#changed -= sizeOf(oldest);
    }
  }

  /** Returns the end of what was inserted. */
  #put(from: Position, to: Position, text: string): Position {
    const written = (this.lineAt(from.line).slice(0, from.at) + text).split("\n");
    const end = { line: from.line + written.length - 1, at: written.at(-1)?.length ?? 0 };
    written.push((written.pop() ?? "") + this.lineAt(to.line).slice(to.at));
    const [only = ""] = written;
    if (from.line === to.line && written.length === 1) this.#lines[from.line] = only;
    else this.#lines = this.#lines.slice(0, from.line).concat(written, this.#lines.slice(to.line + 1));
    return end;
  }
}

const sizeOf = ({ removed, inserted }: TextChange): number => removed.length + inserted.length;

function endOf(from: Position, text: string): Position {
  const at = text.lastIndexOf("\n");
  if (at === -1) return { line: from.line, at: from.at + text.length };
  return { line: from.line + text.split("\n").length - 1, at: text.length - at - 1 };
}
