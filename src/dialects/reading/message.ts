/** The state of one message being read, shared by the readers of running text, thoughts and blocks. */

import type { ModelEvent } from "../../protocol/model-events.ts";
import type { MarkedDialect } from "../dialect.ts";
import { AnswerInput } from "./input.ts";
import { leftoverWatch, type LeftoverWatch } from "./leftovers.ts";
import { countsInLine, type TextMark, type MarkTable } from "./marks.ts";
import type { ReadCall, OfferedTools, UserMessage } from "./reader.ts";
import { textMask, type Mask } from "./scan.ts";
import type { CallEmitter } from "./teller.ts";

export type MessageState = {
  readonly input: AnswerInput;
  readonly table: MarkTable;
  readonly offered: OfferedTools;
  readonly teller: CallEmitter;
  readonly emit: (event: ModelEvent) => void;
  /** The name of the dialect that the model was taught or is known to use. */
  readonly known: string | undefined;
  readonly trace: Trace | undefined;
  /** The calls of a text that consists only of marked calls. */
  readonly readMarked: (text: string) => ReadCall[] | undefined;
  readonly leftovers: LeftoverWatch;
  mask: Mask;
  text: Outlet;
  reasoning: Outlet;
  hasText: boolean;
  /** Whether a thought is open, whether any of it was emitted, and whether one has ended. */
  thinks: boolean;
  toldThought: boolean;
  hasThought: boolean;
  /** The closing mark of a thought that may have begun in the text. */
  mayThink: string | undefined;
  /** Whether a closed thought contained a call, which did not run (N5). */
  hadCallInThought: boolean;
  /** Whether an unterminated thought was found: later ones then have no end either. */
  isEndless: boolean;
  /** Closing marks of thoughts that do not occur in the rest of the answer. */
  readonly missing: Set<string>;
  /** Consumed text not yet classified: a call in an open thought, or a possible whole message. */
  held: string[];
  /** Up to this position, reading the text as a whole message has already failed. */
  notWholeUntil: number;
  /** Set if the current block may occur only once in a message: reported instead of further ones. */
  onlyOne: ReadCall | undefined;
  /** Such blocks as written, and their calls, which wait for the end of the answer. */
  readonly singles: string[];
  waiting: { call: ReadCall; from: MarkedDialect; written: string }[];
  /** Whether a block is being read or was just read; a block is not text. */
  isBlock: boolean;
  /** The message to the user that is being read, and the dialect that says so. */
  toUser: (UserMessage & { readonly from: string }) | undefined;
  isCut: boolean;
  /** The answer ended inside the head of a block, before it was a call. */
  isHeadCut: boolean;
  isOver: boolean;
};

/** `at`: how many characters of the answer precede the mark. */
export type Trace = (note: { at: number; mark: string; why: string }) => void;

type MessageOptions = Pick<
  MessageState,
  "table" | "offered" | "teller" | "emit" | "known" | "trace" | "readMarked"
>;

export const newMessage = (options: MessageOptions): MessageState => ({
  ...options,
  leftovers: leftoverWatch(options.table.leftovers, options.teller.doubt),
  input: new AnswerInput(),
  mask: textMask(),
  text: outlet("text-delta"),
  reasoning: outlet("reasoning-delta"),
  hasText: false,
  thinks: false,
  toldThought: false,
  hasThought: false,
  mayThink: undefined,
  hadCallInThought: false,
  isEndless: false,
  missing: new Set(),
  held: [],
  notWholeUntil: 0,
  onlyOne: undefined,
  singles: [],
  waiting: [],
  isBlock: false,
  toUser: undefined,
  isCut: false,
  isHeadCut: false,
  isOver: false,
});

export function say(message: MessageState, text: string): void {
  if (text === "") return;
  if (message.teller.holds) message.leftovers(text);
  endThought(message);
  for (const event of message.text.put(text)) {
    message.hasText = true;
    message.emit(event);
  }
}

/** Emits markup that turned out to be text, and tracks its Markdown. */
export function sayMarkup(message: MessageState, text: string): void {
  say(message, text);
  for (let at = 0; at < text.length; at += 1) message.mask.step(text.charCodeAt(at));
}

export function beginThought(message: MessageState): void {
  if (message.thinks) return;
  message.thinks = true;
  message.mayThink = undefined;
  message.toldThought = false;
  message.reasoning = outlet("reasoning-delta");
  message.reasoning.cut();
  message.text.cut();
}

export function think(message: MessageState, text: string): void {
  if (text === "") return;
  if (message.teller.holds) message.leftovers(text);
  beginThought(message);
  for (const event of message.reasoning.put(text)) {
    message.toldThought = true;
    message.emit(event);
  }
}

export function endThought(message: MessageState): void {
  if (!message.thinks) return;
  message.thinks = false;
  message.hasThought = true;
  if (message.toldThought) message.emit({ type: "reasoning-end" });
}

/** Markup was consumed here, so Markdown tracking starts afresh. */
export function beginAnew(message: MessageState): void {
  message.text.cut();
  message.mask = textMask();
}

/** Whether a mark of a call, or one around it, is part of what the model says to the user. */
function isToldUser({ toUser, known }: MessageState, { text, means }: TextMark): boolean {
  if (toUser && means.type === "layout") return !toUser.ends.includes(text);
  if (!toUser || !("dialect" in means)) return false;
  const { name } = means.dialect;
  return name === toUser.from ? !toUser.opens.includes(text) : name !== known;
}

/** Some marks count only at the beginning of a line; inside a thought, anywhere. */
export const isInPlace = ({ mask, thinks }: MessageState, mark: TextMark): boolean =>
  thinks || countsInLine(mark) || mask.atLineStart();

const isName = /^[\p{L}_]/u;

/** Whether a mark may count at the current position. */
export function mayStand(message: MessageState, mark: TextMark): boolean {
  const { input, mask, hasText, teller, thinks } = message;
  const { where, means } = mark;
  if (thinks) return true;
  if (isToldUser(message, mark)) return false;
  if (means.type === "whole") {
    if (input.position < message.notWholeUntil) return false;
    if (where === "start" && teller.count > 0) return false;
    // A call by its name that is indented below other text is a line of a program.
    if (hasText && mask.indented() && isName.test(mark.text)) return false;
  }
  if (where === "start" && hasText) return false;
  if (!isInPlace(message, mark)) return false;
  return !mask.masked() && !((means.type === "call" || means.type === "whole") && mask.quoting());
}

interface Outlet {
  put(text: string): ModelEvent[];
  /** Markup is here: the surrounding white space is layout, not text. */
  cut(): void;
  /** It was not markup: reverts the last `cut`. */
  uncut(): void;
  /** Starts a new paragraph. */
  apart(): void;
  /** White space still withheld, if nothing was cut. */
  readonly held: string;
  rest(): ModelEvent[];
}

/** Emits text as it arrives, but withholds white space until it is known whether text or a call follows. */
function outlet(type: "text-delta" | "reasoning-delta"): Outlet {
  let held: string[] = [];
  /** Inserted between the last text and the next, whose white space is dropped; undefined: nothing is inserted. */
  let gap: string | undefined;
  let hasText = false;
  let beforeCut: { held: string[]; gap: string | undefined } = { held, gap };
  return {
    put(text) {
      const solid = text.trimEnd();
      if (solid === "") {
        if (text !== "" && gap === undefined) held.push(text);
        return [];
      }
      const out = gap === undefined ? held.join("") + solid : (hasText ? gap : "") + solid.trimStart();
      held = solid.length < text.length ? [text.slice(solid.length)] : [];
      gap = undefined;
      hasText = true;
      return [{ type, text: out }];
    },
    cut() {
      beforeCut = { held, gap };
      held = [];
      gap = "";
    },
    uncut() {
      ({ held, gap } = beforeCut);
    },
    apart() {
      held = [];
      gap = "\n\n";
    },
    get held() {
      return held.join("");
    },
    rest() {
      const text = held.join("");
      held = [];
      return text === "" ? [] : [{ type, text }];
    },
  };
}
