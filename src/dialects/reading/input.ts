/** The incoming text of an answer: retains only what is not yet consumed, so that nothing is searched twice. */

export class AnswerInput {
  /** The buffered text, unread from `at` on. Changes whenever more text arrives. */
  text = "";
  at = 0;
  /** No more text will arrive. */
  ended = false;
  /** Characters examined, including repeats: must grow linearly with the text. */
  looked = 0;
  /** How much of the answer has been consumed. */
  position = 0;
  /** How much has been consumed since `record`. */
  recordedLength = 0;
  #record: string[] | undefined;
  #sinceMark: string[] | undefined;
  #markedAt = 0;

  push(chunk: string): void {
    this.text = this.at === this.text.length ? chunk : this.text.slice(this.at) + chunk;
    this.at = 0;
  }

  get unread(): number {
    return this.text.length - this.at;
  }

  /** Returns the next characters without consuming them. */
  peek(length: number): string {
    this.looked += Math.min(length, this.unread);
    return this.text.slice(this.at, this.at + length);
  }

  take(length: number): string {
    const taken = this.text.slice(this.at, this.at + length);
    this.at += taken.length;
    this.position += taken.length;
    this.#record?.push(taken);
    this.#sinceMark?.push(taken);
    this.recordedLength += taken.length;
    return taken;
  }

  takeAll(): string {
    return this.take(this.unread);
  }

  /** Makes consumed text unread again. Allowed once for any piece of text, or reading is no longer linear. */
  putBack(text: string): void {
    this.text = text + this.text.slice(this.at);
    this.at = 0;
    this.position -= text.length;
    if (this.#sinceMark) this.#sinceMark = [this.#sinceMark.join("").slice(0, -text.length)];
  }

  /** Prepends the end of the prompt that the answer continues, at positions below 0. */
  begin(given: string): void {
    this.text = given + this.text.slice(this.at);
    this.at = 0;
    this.position = -given.length;
  }

  /** Consumes the rest of the prompt's text. */
  takeGiven(): void {
    this.take(Math.max(0, -this.position));
  }

  /** Marks this position, the first time only; `already` was consumed just before and belongs after the mark. */
  markHere(already: string): void {
    if (this.#sinceMark) return;
    this.#sinceMark = [already];
    this.#markedAt = this.position - already.length;
  }

  forgetMark(): void {
    this.#sinceMark = undefined;
  }

  /** The part of the answer consumed since the mark. */
  sinceMark(): string {
    return (this.#sinceMark?.join("") ?? "").slice(Math.max(0, -this.#markedAt));
  }

  /** Records everything consumed from here on, until `recorded`. */
  record(already = ""): void {
    this.#record = already === "" ? [] : [already];
    this.recordedLength = already.length;
  }

  /** The text consumed since `record`. Recording continues. */
  recorded(): string {
    const text = this.#record?.join("") ?? "";
    if (this.#record) this.#record = [text];
    return text;
  }

  stopRecording(): void {
    this.#record = undefined;
  }
}
