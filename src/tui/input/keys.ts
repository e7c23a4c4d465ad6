/** Reads the bytes of a terminal as keys, pastes and changes of the focus, however they are cut into chunks. */

import { StringDecoder } from "node:string_decoder";
import { ArrivingPaste, markPastes } from "../pastes.ts";
import { keyOfConsoleSequence, keyOfSequence, keyOfShiftedSequence } from "./key-sequences.ts";
import { characterKey, type TerminalKey, namedKey, unmodified } from "./key.ts";

export type { TerminalKey, PressedKey } from "./key.ts";

/** Calls `then` after that many milliseconds, unless the returned function is called before. */
type KeyClock = (milliseconds: number, then: () => void) => () => void;

/** What a terminal is sent to tell pastes, the focus and keys such as Shift+Enter, and to stop doing so. */
export const keyModes = {
  on: `${markPastes.on}\u001B[?1004h\u001B[>4;1m\u001B[>1u`,
  off: `\u001B[<u\u001B[>4;0m\u001B[?1004l${markPastes.off}`,
};

/** After so long an Escape is the key, not the beginning of a sequence. */
const escapeMs = 30;
/** After so long the rest of a longer sequence will not come any more: a slow line cuts it anywhere. */
const sequenceMs = 500;
/** Who presses Enter does not type on within this time: what follows sooner is pasted by a terminal that does not say so. */
const rowsMs = 30;
/** Ctrl-C inside a paste counts when nothing follows for so long: then the paste's end was lost. */
const lostEndMs = 300;
/** No key has a longer sequence. */
const longestSequence = 64;

const escape = "\u001B";
const enter = "\r";
const interrupt = "\u0003";
/** Begin strings, such as a terminal's answers: OSC, DCS, APC, PM, SOS. */
const stringStarts = "]P_^X";
/** What a pasted text is made of: all but the control characters that are no white space. */
const textRun = /^[^\u0000-\u0008\v\f\u000E-\u001F\u007F]*/u; // eslint-disable-line no-control-regex

type ReaderState =
  | { type: "text" }
  /** `isMeta`: after a second Escape, which rxvt sends for Alt. */
  | { type: "escape"; isMeta: boolean }
  | { type: "sequence"; isMeta: boolean; parameters: string }
  | { type: "shifted"; isMeta: boolean; modifier: string }
  | { type: "console" }
  | { type: "string"; start: string; isEmpty: boolean; isEnding: boolean }
  | { type: "paste"; arriving: ArrivingPaste }
  /** An Enter, and what follows it at once. `hasText`: something else than Enters. */
  | { type: "rows"; arriving: ArrivingPaste; hasText: boolean };

const outside: ReaderState = { type: "text" };

export class KeyReader {
  readonly #heard: (key: TerminalKey) => void;
  readonly #clock: KeyClock;
  readonly #decoder = new StringDecoder("utf8");
  #state: ReaderState = outside;
  /** The first half of a character of two UTF-16 units. */
  #half = "";
  #stopWaiting: () => void = () => undefined;
  #isClosed = false;

  constructor(heard: (key: TerminalKey) => void, clock: KeyClock = systemKeyClock) {
    this.#heard = heard;
    this.#clock = clock;
  }

  read(chunk: Buffer | string): void {
    if (this.#isClosed) return;
    this.#stopWaiting();
    let rest = this.#half + (typeof chunk === "string" ? chunk : this.#decoder.write(chunk));
    this.#half = /[\uD800-\uDBFF]$/u.exec(rest)?.[0] ?? "";
    if (this.#half !== "") rest = rest.slice(0, -1);
    while (rest !== "") {
      if (this.#state.type === "paste") rest = this.#readPaste(this.#state.arriving, rest);
      else if (this.#state.type === "rows") rest = this.#readRows(this.#state, rest);
      else rest = this.#readKeys(rest);
    }
    this.#wait();
  }

  /** What is unfinished is heard now, and nothing after it. */
  close(): void {
    if (this.#isClosed) return;
    this.#stopWaiting();
    if (this.#state.type === "paste") this.#endPaste(this.#state.arriving);
    else this.#timeIsUp();
    this.#isClosed = true;
  }

  /** Returns what follows the beginning of a paste, or an Enter. */
  #readKeys(characters: string): string {
    let at = 0;
    for (const character of characters) {
      at += character.length;
      this.#next(character);
      const { type } = this.#state;
      if (type === "paste" || type === "rows") return characters.slice(at);
    }
    return "";
  }

  #readPaste(arriving: ArrivingPaste, characters: string): string {
    const rest = arriving.add(characters);
    if (rest === undefined) return "";
    this.#endPaste(arriving);
    return rest;
  }

  /** Returns what ends them. */
  #readRows(rows: ReaderState & { type: "rows" }, characters: string): string {
    const [run] = textRun.exec(characters) ?? [""];
    rows.arriving.add(run);
    rows.hasText ||= /[^\r\n]/u.test(run);
    if (run !== characters) this.#endRows(rows);
    return characters.slice(run.length);
  }

  #endRows({ arriving, hasText }: ReaderState & { type: "rows" }): void {
    if (hasText) return this.#endPaste(arriving);
    this.#state = outside;
    for (const _ of arriving.whole().text) this.#heard(namedKey("enter"));
  }

  #endPaste(arriving: ArrivingPaste): void {
    this.#state = outside;
    this.#heard({ type: "paste", ...arriving.whole() });
  }

  #next(character: string): void {
    const state = this.#state;
    if (state.type === "text") {
      if (character === escape) this.#state = { type: "escape", isMeta: false };
      else if (character === enter) {
        this.#state = { type: "rows", arriving: new ArrivingPaste(), hasText: false };
        this.#state.arriving.add(character);
      } else if (!isIgnored(character)) this.#heard(characterKey(character));
      return;
    }
    if (state.type === "escape") return this.#afterEscape(state, character);
    if (state.type === "string") return this.#inString(state, character);
    // A control character ends what it stands in.
    if (character < " " || character === "\u007F") {
      this.#state = outside;
      return this.#next(character);
    }
    if (state.type === "sequence") return this.#inSequence(state, character);
    this.#state = outside;
    if (state.type === "console") return this.#tell(keyOfConsoleSequence(character), false);
    if (state.type !== "shifted") return undefined;
    if (/^\d$/u.test(character)) this.#state = { ...state, modifier: (state.modifier + character).slice(-2) };
    else this.#tell(keyOfShiftedSequence(state.modifier, character), state.isMeta);
  }

  #afterEscape({ isMeta }: { isMeta: boolean }, character: string): void {
    if (character === "[") this.#state = { type: "sequence", isMeta, parameters: "" };
    else if (character === "O") this.#state = { type: "shifted", isMeta, modifier: "" };
    else if (character === escape && !isMeta) this.#state = { type: "escape", isMeta: true };
    else {
      if (isMeta) this.#heard(namedKey("escape"));
      if (character === escape) return undefined; // the second of three may begin a sequence
      this.#state = outside;
      if (stringStarts.includes(character))
        this.#state = { type: "string", start: character, isEmpty: true, isEnding: false };
      else if (!isIgnored(character)) this.#heard(characterKey(character, { ...unmodified, alt: true }));
    }
  }

  #inSequence(state: ReaderState & { type: "sequence" }, character: string): void {
    const { parameters, isMeta } = state;
    if (parameters === "" && character === "[") return void (this.#state = { type: "console" });
    // rxvt ends keys with Shift by a dollar, which elsewhere stands between parameters and end.
    const isRxvt = character === "$" && /^\d+$/u.test(parameters);
    if (/^[ -?]$/u.test(character) && !isRxvt) {
      const isLong = parameters.length >= longestSequence;
      return void (this.#state = { ...state, parameters: isLong ? parameters : parameters + character });
    }
    this.#state = outside;
    if (parameters === "200" && character === "~")
      this.#state = { type: "paste", arriving: new ArrivingPaste() };
    else if (parameters.length < longestSequence) this.#tell(keyOfSequence(parameters, character), isMeta);
  }

  #inString(state: ReaderState & { type: "string" }, character: string): void {
    if (character === escape) this.#state = { ...state, isEmpty: false, isEnding: true };
    else if (state.isEnding) {
      this.#state = outside;
      if (character !== "\\") this.#afterEscape({ isMeta: false }, character);
    } else if (character === "\u0007") this.#state = outside;
    else if (character === interrupt) {
      this.#state = outside;
      this.#next(character);
    } else if (state.isEmpty) this.#state = { ...state, isEmpty: false };
  }

  #tell(key: TerminalKey | undefined, isMeta: boolean): void {
    if (key) this.#heard(key.type === "key" && isMeta ? { ...key, alt: true } : key);
  }

  #wait(): void {
    const state = this.#state;
    const isShort =
      state.type === "escape" ||
      (state.type === "sequence" && state.parameters === "") ||
      (state.type === "shifted" && state.modifier === "") ||
      (state.type === "string" && state.isEmpty);
    if (state.type === "paste") {
      if (state.arriving.endsWith(interrupt)) this.#wake(lostEndMs);
    } else if (state.type === "rows") this.#wake(rowsMs);
    else if (state.type !== "text") this.#wake(isShort ? escapeMs : sequenceMs);
  }

  #wake(milliseconds: number): void {
    this.#stopWaiting = this.#clock(milliseconds, () => this.#timeIsUp());
  }

  /** The beginning of a sequence was a key; the rest of a longer one is given up. */
  #timeIsUp(): void {
    const state = this.#state;
    this.#state = outside;
    const isMeta = "isMeta" in state && state.isMeta;
    if (isMeta) this.#heard(namedKey("escape"));
    const alt = { ...unmodified, alt: true };
    if (state.type === "escape") this.#heard(namedKey("escape"));
    else if (state.type === "sequence" && state.parameters === "") this.#heard(characterKey("[", alt));
    else if (state.type === "shifted" && state.modifier === "") this.#heard(characterKey("O", alt));
    else if (state.type === "string" && state.isEmpty) this.#heard(characterKey(state.start, alt));
    else if (state.type === "rows") this.#endRows(state);
    else if (state.type === "paste") {
      const { text, isCut } = state.arriving.whole();
      this.#heard({ type: "paste", text: text.slice(0, -1), isCut });
      this.#heard(characterKey(interrupt));
    }
  }
}

/** C1 controls, and half characters, which type nothing. */
const isIgnored = (character: string): boolean => /^[\u0080-\u009F\uD800-\uDFFF]$/u.test(character);

/** Waits for what has arrived meanwhile to be read: a busy program must not take a cut sequence for a key. */
const systemKeyClock: KeyClock = (milliseconds, then) => {
  let waiting: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    waiting = setImmediate(then);
  }, milliseconds);
  return () => {
    clearTimeout(timer);
    clearImmediate(waiting);
  };
};
