/** A word of a command line, as far as it is known before anything runs. */

/** Stands in a word's text for each part that is only known at run time. No command line contains it. */
export const unknown = "\0";

/**
 * Where unknown text comes from, as far as it matters when it is used. `network`: fetched; `decoded`: decoded from
 * another text; `secret`: keys, tokens, private files; `variables`: the whole environment, including secrets;
 * `private`: other data of the user; `input`: typed or piped in; `own-process`: the number of a process that the line
 * has started; `loaded`: text of the line that contains a substitution, which runs when it is evaluated; `random`:
 * unpredictable; `endless`: it never ends by itself.
 */
export type Flow =
  | "network"
  | "decoded"
  | "secret"
  | "variables"
  | "private"
  | "input"
  | "own-process"
  | "loaded"
  | "random"
  | "endless";

export type Word = {
  /** Without quotes and escapes; with `unknown` for each part that is only known at run time. */
  readonly text: string;
  /** The text contains an unquoted pattern (`*`, `?`, `[…]`), which stands for any number of names. */
  readonly isPattern: boolean;
  /** An unquoted unknown part may become several words, also options. */
  readonly mayBeSeveral: boolean;
  /** The sources of its unknown parts. */
  readonly carries: ReadonlySet<Flow>;
  /** For an argument `a=(x y)`: the words of the array. */
  readonly elements?: readonly Word[];
};

export const noFlows: ReadonlySet<Flow> = new Set();

export const literal = (text: string): Word => ({
  text,
  isPattern: false,
  mayBeSeveral: false,
  carries: noFlows,
});

/** A word of which only the sources are known. */
export const unknownWord = (carries: ReadonlySet<Flow> = noFlows): Word => ({
  text: unknown,
  isPattern: false,
  mayBeSeveral: true,
  carries,
});

/** Whether the program gets exactly its text. */
export const isLiteral = (word: Word): boolean => !word.isPattern && !word.text.includes(unknown);

export const isUnknown = (word: Word): boolean => word.text.includes(unknown);

/** The same word with another text. */
export const withText = (word: Word, text: string): Word => ({ ...word, text });

/** Several words, or parts of one, joined to one with `between`. */
export function joinWords(words: readonly Word[], between = ""): Word {
  return {
    text: words.map(({ text }) => text).join(between),
    isPattern: words.some(({ isPattern }) => isPattern),
    mayBeSeveral: words.some(({ mayBeSeveral }) => mayBeSeveral),
    carries: flowsOf(words),
  };
}

/** `loaded` if the text contains a substitution, which may run when the text is evaluated later. */
export const loadOf = ({ text }: Word): readonly Flow[] => (/\$\(|`[^]*`/u.test(text) ? ["loaded"] : []);

export function flowsOf(words: readonly Word[]): ReadonlySet<Flow> {
  const flows = words.flatMap(({ carries }) => [...carries]);
  return flows.length === 0 ? noFlows : new Set(flows);
}
