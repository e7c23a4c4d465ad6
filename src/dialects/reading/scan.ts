/** Character scanners for running text: where Markdown quotes code, and where JSON ends. */

/** Tracks Markdown to tell whether a call may open here. Code, quotations and comments only show calls. */
export interface Mask {
  /** Consumes the next character of running text. */
  step(code: number): void;
  /**
   * Within a line of prose, consumes the characters up to the next one of `stops`, which holds at least `proseStops`, and
   * returns its position. Elsewhere it consumes none.
   */
  skip(text: string, from: number, stops: RegExp): number;
  /** Whether a marker beginning with the next character is only shown, not used. */
  masked(): boolean;
  /** Declares the next marker as only shown; of several there, the longest. So are those directly after it, or its tag. */
  shows(marker: string): void;
  /** Whether a quotation that began on this line is open. */
  quoting(): boolean;
  /** Whether the line so far is only white space. */
  atLineStart(): boolean;
  /** Whether the line so far is white space, and not empty. */
  indented(): boolean;
  /** Whether the last character was a blank. */
  afterBlank(): boolean;
}

const byteOrderMark = 0xfeff;
const newline = 10;
const tab = 9;
const blank = 32;
const bang = 33;
const parenthesis = 41;
const dash = 45;
const dot = 46;
const less = 60;
const greater = 62;
const backslash = 92;
const backtick = 96;
const tilde = 126;

const codesOf = (characters: string): Set<number> =>
  new Set(Array.from(characters, (character) => character.charCodeAt(0)));

/** A marker straight after one of these is quoted speech or program text. */
const joiners = codesOf("\"'“‘„‚«‹「『《〈＂＇(（=＝+＋\\");

export function textMask(): Mask {
  const state: MaskState = {
    line: newLine({ afterBlank: false }),
    run: undefined,
    fence: undefined,
    fenceMayClose: false,
    ticks: 0,
    comment: false,
    commentMark: 0,
    shown: 0,
    inTag: false,
    previous: 0,
    anyText: false,
  };
  return {
    step: (code) => takeCharacter(state, code),
    skip: (text, from, stops) => skipProse(state, { text, from, stops }),
    masked: () => isMasked(state),
    shows: (marker) => {
      // The end of a fence shows only that fence's content.
      if (state.fence) return;
      if (marker.length < state.shown) return;
      const isInTag = state.inTag && state.shown <= 1;
      state.shown = marker.length + 1;
      state.inTag = isInTag || (marker.startsWith("<") && !marker.endsWith(">"));
    },
    quoting: () => state.line.speech !== 0,
    atLineStart: () => state.line.start,
    indented: () => state.line.start && state.line.indent > 0,
    afterBlank: () => state.previous === blank || state.previous === tab,
  };
}

type TextPlace = { text: string; from: number; stops: RegExp };

function skipProse(state: MaskState, { text, from, stops }: TextPlace): number {
  if (!isProse(state)) return from;
  stops.lastIndex = from;
  const next = stops.exec(text)?.index ?? text.length;
  if (next > from) state.previous = text.charCodeAt(next - 1);
  return next;
}

/** Within a line, with no code, quotation, comment or list marker open or begun. */
const isProse = (state: MaskState): boolean =>
  state.line.item === "over" &&
  state.line.speech === 0 &&
  state.run === undefined &&
  state.commentMark === 0 &&
  !state.inTag &&
  !state.fenceMayClose &&
  !isMasked(state);

type MaskState = {
  line: {
    start: boolean;
    indent: number;
    blank: boolean;
    quoted: boolean;
    code: boolean;
    afterBlank: boolean;
    /** How much of a list marker has been seen: a fence or quotation may begin after it as at a line's start. */
    item: "none" | "number" | "mark" | "over";
    /** The closing quotation mark of the open quotation, 0 outside; and how many of the same kind are nested in it. */
    speech: number;
    nested: number;
  };
  /** An unfinished run of equal back-ticks or tildes. */
  run: { code: number; length: number; where: "start" | "item" | "inside" } | undefined;
  fence: { code: number; length: number } | undefined;
  fenceMayClose: boolean;
  /** Length of the back-tick run that opened an inline code span; 0 outside. Ends with its line. */
  ticks: number;
  comment: boolean;
  /** How much of `<!--` or `-->` has been seen. */
  commentMark: number;
  /** Remaining characters of a shown marker, plus one; 1 while only white space has followed it. */
  shown: number;
  /** The shown marker is only the beginning of a tag. */
  inTag: boolean;
  previous: number;
  anyText: boolean;
};

function takeCharacter(state: MaskState, code: number): void {
  if (code === byteOrderMark) return;
  if (state.run && state.run.code !== code) endRun(state, state.run);
  if (state.ticks === 0) followSpeech(state, state.previous, code);
  followShown(state, code);
  const isBehindItem = state.line.item === "mark" && (state.previous === blank || state.previous === tab);
  state.previous = code;
  if (code === newline) {
    endLine(state);
    return;
  }
  followComment(state, code);
  const { line } = state;
  if (line.start && (code === blank || code === tab)) {
    line.indent += code === tab ? 4 : 1;
    return;
  }
  const where = line.start ? "start" : isBehindItem && code > blank ? "item" : "inside";
  if (where === "start") startLine(state, code);
  if (where === "item" && code === greater) line.quoted = true;
  line.item = itemAfter(line.item, where, code);
  if (code === backtick || code === tilde) {
    if (state.run) state.run.length += 1;
    else state.run = { code, length: 1, where };
  } else if (code > blank) state.fenceMayClose = false;
}

function followShown(state: MaskState, code: number): void {
  if (state.shown > 1) state.shown -= 1;
  else if (state.inTag) state.inTag = code !== greater;
  else if (code > blank) state.shown = 0;
}

type ListItem = MaskState["line"]["item"];

/** `-`, `*`, `+`, `1.` and `1)` begin an item, in which another one may begin. */
function itemAfter(item: ListItem, where: CodeRun["where"], code: number): ListItem {
  const isDigit = code >= 48 && code <= 57;
  if (where !== "inside") return bullets.has(code) ? "mark" : isDigit ? "number" : "over";
  if (item === "number") return isDigit ? "number" : code === dot || code === parenthesis ? "mark" : "over";
  return item === "mark" && code <= blank ? "mark" : "over";
}

const bullets = codesOf("-*+");

/** Must not change the state: equal back-ticks may still follow. */
function isMasked(state: MaskState): boolean {
  const { line } = state;
  const { fence, ticks } = state.run ? afterRun(state, state.run) : state;
  // At the start of a line the asked character itself would decide about indented code: decide before it.
  const indented = line.start ? isIndentedCode(state) : line.code;
  const inCode = fence !== undefined || ticks > 0 || indented;
  return inCode || state.comment || line.quoted || state.shown > 0 || joiners.has(state.previous);
}

type CodeRun = NonNullable<MaskState["run"]>;

function endRun(state: MaskState, run: CodeRun): void {
  state.run = undefined;
  Object.assign(state, afterRun(state, run));
}

function afterRun(
  { fence, fenceMayClose, ticks }: MaskState,
  { code, length, where }: CodeRun,
): Pick<MaskState, "fence" | "fenceMayClose" | "ticks"> {
  if (fence) {
    const mayClose = where === "start" && code === fence.code && length >= fence.length;
    return { fence, ticks, fenceMayClose: mayClose };
  }
  if (where !== "inside" && length >= 3) return { fence: { code, length }, fenceMayClose, ticks };
  if (code === backtick && ticks === 0) return { fence, fenceMayClose, ticks: length };
  return { fence, fenceMayClose, ticks: code === backtick && ticks === length ? 0 : ticks };
}

function endLine(state: MaskState): void {
  const { line } = state;
  if (state.fenceMayClose) state.fence = undefined;
  state.fenceMayClose = false;
  state.ticks = 0;
  // A tag that does not end on its line was none.
  if (state.inTag) state.shown = 0;
  state.inTag = false;
  state.line = newLine({ afterBlank: line.blank || line.code });
}

const newLine = ({ afterBlank }: { afterBlank: boolean }): MaskState["line"] => ({
  start: true,
  indent: 0,
  blank: true,
  quoted: false,
  code: false,
  afterBlank,
  item: "none",
  speech: 0,
  nested: 0,
});

const closingMarks = new Map([
  [0x22, 0x22],
  [0x201c, 0x201d],
  [0x201e, 0x201c],
  [0xab, 0xbb],
  [0x2039, 0x203a],
]);

/** Pairs from languages written without blanks; each sign is unambiguously an opening or a closing one. */
const widePairs = new Map(Array.from({ length: 4 }, (_, at) => [0x3008 + 2 * at, 0x3009 + 2 * at]));

/** A quotation begins where a word does: 5" is a size. It ends with its line. Quoted JSON has quotations in it. */
function followSpeech(state: MaskState, before: number, code: number): void {
  const { line } = state;
  const closing = widePairs.get(code) ?? (openers.has(before) ? closingMarks.get(code) : undefined);
  if (line.speech === 0) line.speech = closing ?? 0;
  else if (closing === line.speech) line.nested += 1;
  else if (code !== line.speech || before === backslash) return;
  else if (line.nested > 0) line.nested -= 1;
  else line.speech = 0;
}

const openers = codesOf("\0\n\r\t ([{:,—–-");

/** The characters at which a line of prose may become anything else. */
export const proseStops: readonly number[] = [
  byteOrderMark,
  newline,
  less,
  backtick,
  tilde,
  ...[joiners, closingMarks.keys(), widePairs.keys()].flatMap((codes) => [...codes]),
];

function startLine(state: MaskState, code: number): void {
  const { line } = state;
  line.code = isIndentedCode(state);
  line.start = false;
  line.blank = false;
  line.quoted = code === greater && line.indent < 4;
  state.anyText = true;
}

const isIndentedCode = ({ line, anyText }: MaskState): boolean =>
  line.indent >= 4 && line.afterBlank && anyText;

function followComment(state: MaskState, code: number): void {
  const mark = state.commentMark;
  if (state.comment) {
    state.comment = !(code === greater && mark >= 2);
    state.commentMark = code === dash ? mark + 1 : 0;
    return;
  }
  const wanted = mark === 0 ? less : mark === 1 ? bang : dash;
  state.commentMark = code === wanted ? mark + 1 : code === less ? 1 : 0;
  if (state.commentMark < 4) return;
  state.comment = !state.fence && state.ticks === 0;
  state.commentMark = 0;
}

/** Follows streamed JSON, including strings and escapes (A19), and finds the name of the call in it. */
export type JsonWatch = Readonly<JsonWatchState> & { step(code: number): void };

type JsonWatchState = {
  depth: number;
  inString: boolean;
  /** Complete top-level values seen. */
  values: number;
  /** The text of the call's name key, once its value is complete. For display. */
  name: string | undefined;
  /** Whether the last character belonged to the call's arguments object. For display. */
  inArguments: boolean;
};

type CallKeys = { readonly names: ReadonlySet<string>; readonly inputs: ReadonlySet<string> };

/** `keys` of the outermost object whose values are shown while they stream; without any, it is the arguments itself. */
export function jsonWatch(keys?: CallKeys): JsonWatch {
  /** The depth within the arguments. */
  const inner = keys ? 2 : 1;
  let escaped = false;
  let token: string | undefined;
  let key: string | undefined;
  const watch: JsonWatchState = { depth: 0, inString: false, values: 0, name: undefined, inArguments: false };
  let argumentsOver = false;

  const insideString = (code: number): void => {
    if (escaped) escaped = false;
    else if (code === 92) escaped = true;
    else if (code === 34) {
      watch.inString = false;
      if (watch.depth === 1 && key !== undefined && keys?.names.has(key)) watch.name ??= token;
      return;
    }
    if (watch.depth === 1 && token !== undefined)
      token = token.length < 80 ? token + String.fromCharCode(code) : undefined;
  };
  const open = (): void => {
    watch.depth += 1;
    const isInput = !keys || (key !== undefined && keys.inputs.has(key));
    if (watch.depth === inner && isInput && watch.values === 0) watch.inArguments = true;
  };
  const close = (): void => {
    if (watch.depth === 0) return;
    watch.depth -= 1;
    if (watch.depth === inner - 1 && watch.inArguments) argumentsOver = true;
    if (watch.depth === 0) watch.values += 1;
  };
  return Object.assign(watch, {
    step(code: number): void {
      if (argumentsOver) {
        watch.inArguments = false;
        argumentsOver = false;
      }
      if (watch.inString) insideString(code);
      else if (code === 34 && watch.depth > 0) {
        watch.inString = true;
        token = "";
      } else if (code === 123 || code === 91) open();
      else if (code === 125 || code === 93) close();
      else if (watch.depth === 1 && code === 58) key = token;
      else if (watch.depth === 1 && code === 44) key = undefined;
    },
  });
}
