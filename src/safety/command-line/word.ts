/** A word of a command line, as far as it is known before anything runs. */

/** Stands in a word's text for each part that only the run will tell. No command line holds it itself. */
export const unknown = "\0";

/**
 * Where unknown text comes from, as far as it matters when it is used. `network`: fetched; `decoded`: turned out of
 * another text; `secret`: keys, tokens, private files; `variables`: all variables that programs get, secret ones among
 * them; `private`: other data of the user; `input`: what somebody types or pipes in; `own-process`: the number of a
 * process that the line has started; `loaded`: text of the line with a substitution in it, which runs where it is
 * evaluated; `random`: nobody can tell.
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
  | "random";

export type Word = {
  /** Without quotes and escapes; `unknown` for each part that only the run tells. */
  readonly text: string;
  /** An unquoted pattern (`*`, `?`, `[…]`) is left in the text: it stands for any number of names. */
  readonly isPattern: boolean;
  /** An unquoted unknown part may become several words, also options. */
  readonly mayBeSeveral: boolean;
  /** What flows into its unknown parts. */
  readonly carries: ReadonlySet<Flow>;
  /** Of `a=(x y)` as an argument: the words of the array. */
  readonly elements?: readonly Word[];
};

export const noFlows: ReadonlySet<Flow> = new Set();

export const literal = (text: string): Word => ({
  text,
  isPattern: false,
  mayBeSeveral: false,
  carries: noFlows,
});

/** A word of which nothing is known but what flows into it. */
export const unknownWord = (carries: ReadonlySet<Flow> = noFlows): Word => ({
  text: unknown,
  isPattern: false,
  mayBeSeveral: true,
  carries,
});

/** Whether its text is exactly what the program will get. */
export const isLiteral = (word: Word): boolean => !word.isPattern && !word.text.includes(unknown);

export const isUnknown = (word: Word): boolean => word.text.includes(unknown);

/** The same word with another text: a part of it. */
export const withText = (word: Word, text: string): Word => ({ ...word, text });

/** Several words, or parts of one, as one text with `between` in between. */
export function joined(words: readonly Word[], between = ""): Word {
  return {
    text: words.map(({ text }) => text).join(between),
    isPattern: words.some(({ isPattern }) => isPattern),
    mayBeSeveral: words.some(({ mayBeSeveral }) => mayBeSeveral),
    carries: flowsOf(words),
  };
}

/** What flows out of a text that is passed on, from which a substitution may run later. */
export const loadOf = ({ text }: Word): readonly Flow[] => (/\$\(|`[^]*`/u.test(text) ? ["loaded"] : []);

export function flowsOf(words: readonly Word[]): ReadonlySet<Flow> {
  const flows = words.flatMap(({ carries }) => [...carries]);
  return flows.length === 0 ? noFlows : new Set(flows);
}
