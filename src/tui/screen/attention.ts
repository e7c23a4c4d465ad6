/** Calls the person back, when they are needed and look at another window: a bell, a notification, the title. */

const bell = "\u0007";
const saveTitle = "\u001B[22;0t";
const restoreTitle = "\u001B[23;0t";
const title = (words: string): string => `\u001B]2;${words}\u0007`;
/** A notification of the desktop, where the terminal has it. */
const notification = (words: string): string => `\u001B]9;${words}\u0007`;

export class Attention {
  readonly #print: (text: string) => void;
  /** Until the terminal says otherwise: most do not tell. */
  #isFocused = true;
  #isCalling = false;

  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  focus(isFocused: boolean): void {
    this.#isFocused = isFocused;
    if (isFocused) this.answered();
  }

  /** `words`: one line, for whoever does not see the terminal. */
  call(words: string): void {
    if (this.#isFocused || this.#isCalling) return;
    this.#isCalling = true;
    this.#print(`${saveTitle}${title(`● waits`)}${bell}${notification(words)}`);
  }

  answered(): void {
    if (!this.#isCalling) return;
    this.#isCalling = false;
    this.#print(restoreTitle);
  }
}
