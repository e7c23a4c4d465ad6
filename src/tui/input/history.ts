/** What a person has said before: stepped through with ↑ and ↓, and searched. Earlier sessions are read when needed. */

/** More is not remembered, in messages and in characters of them. */
const mostMessages = 1_000;
const mostCharacters = 4 * 1024 * 1024;

export class InputHistory {
  /** Newest first, each text once. */
  #texts: string[] = [];
  #characters = 0;
  readonly #read: () => AsyncIterable<string>;
  #earlier: AsyncIterator<string> | undefined;
  #isRead = false;
  /** Where a person is in it; undefined at the draft. */
  #at: number | undefined;
  #draft = "";
  /** Steps are taken one after another, though reading takes time. */
  #last: Promise<unknown> = Promise.resolve();

  /** `read` gives what was said in earlier sessions, newest first. Nothing is read before it is needed. */
  constructor(read: () => AsyncIterable<string>) {
    this.#read = read;
  }

  /** Remembers what was sent, and returns to the draft. */
  add(text: string): void {
    this.leave();
    if (text.trim() === "") return;
    this.#texts = this.#texts.filter((one) => one !== text);
    this.#texts.unshift(text);
    this.#characters = this.#texts.reduce((sum, one) => sum + one.length, 0);
    while (this.#characters > mostCharacters && this.#texts.length > 1)
      this.#characters -= this.#texts.pop()?.length ?? 0;
    this.#texts.length = Math.min(this.#texts.length, mostMessages);
  }

  /** The text before the one that is shown; undefined if there is none. `draft` is given back at the end. */
  older(draft: string): Promise<string | undefined> {
    return this.#next(async () => {
      const at = this.#at === undefined ? 0 : this.#at + 1;
      const text = await this.textAt(at);
      if (text === undefined) return undefined;
      if (this.#at === undefined) this.#draft = draft;
      this.#at = at;
      return text;
    });
  }

  /** The text after the one that is shown, at last the draft; undefined if that is shown. */
  newer(): Promise<string | undefined> {
    return this.#next(async () => {
      if (this.#at === undefined) return undefined;
      this.#at = this.#at === 0 ? undefined : this.#at - 1;
      return this.#at === undefined ? this.#draft : this.#texts[this.#at];
    });
  }

  /** What is shown now is the draft: it was changed, or sent. */
  leave(): void {
    this.#at = undefined;
    this.#draft = "";
  }

  search(): HistorySearch {
    return new HistorySearch(this);
  }

  /** Counted from the newest. */
  async textAt(at: number): Promise<string | undefined> {
    while (at >= this.#texts.length && !this.#isRead) await this.#readOne();
    return this.#texts[at];
  }

  async #readOne(): Promise<void> {
    const earlier = (this.#earlier ??= this.#read()[Symbol.asyncIterator]());
    const isFull = this.#texts.length >= mostMessages || this.#characters >= mostCharacters;
    const next = isFull
      ? await earlier.return?.()
      : await earlier.next().catch((error: unknown) => {
          this.#earlier = undefined; // the next step begins anew
          throw error;
        });
    if (!next || next.done) this.#isRead = true;
    else if (next.value.trim() !== "" && !this.#texts.includes(next.value)) {
      this.#texts.push(next.value);
      this.#characters += next.value.length;
    }
  }

  #next<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#last.then(step);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** `text`: what matches; undefined if nothing does. `from`, `to`: where in it. */
type HistoryMatch = { query: string; text: string | undefined; from: number; to: number };

/** An incremental search (Ctrl-R): each character narrows it, and each further Ctrl-R goes to an older match. */
export class HistorySearch {
  readonly #history: InputHistory;
  #query = "";
  #at = 0;
  /** A newer step makes an older one void. */
  #step = 0;
  #match: HistoryMatch = { query: "", text: undefined, from: 0, to: 0 };

  constructor(history: InputHistory) {
    this.#history = history;
  }

  get match(): HistoryMatch {
    return this.#match;
  }

  /** From the match on, which may still fit. */
  type(text: string): Promise<HistoryMatch> {
    this.#query += text;
    return this.#find(this.#at);
  }

  deleteLeft(): Promise<HistoryMatch> {
    this.#query = Array.from(this.#query).slice(0, -1).join("");
    return this.#find(0);
  }

  /** The match stays if there is no older one. */
  older(): Promise<HistoryMatch> {
    return this.#find(this.#match.text === undefined ? this.#at : this.#at + 1, this.#match);
  }

  async #find(start: number, otherwise?: HistoryMatch): Promise<HistoryMatch> {
    this.#step += 1;
    const step = this.#step;
    const query = this.#query;
    const isExact = query !== query.toLowerCase();
    const shown = (at: number, match: HistoryMatch): HistoryMatch => {
      if (step !== this.#step) return this.#match;
      if (match.text !== undefined) this.#at = at;
      this.#match = match;
      return match;
    };
    if (query === "") return shown(0, { query, text: undefined, from: 0, to: 0 });
    for (let at = start; ; at++) {
      const text = await this.#history.textAt(at);
      if (step !== this.#step) return this.#match;
      if (text === undefined) return shown(start, otherwise ?? { query, text, from: 0, to: 0 });
      const from = (isExact ? text : text.toLowerCase()).indexOf(query);
      if (from !== -1) return shown(at, { query, text, from, to: from + query.length });
    }
  }
}
