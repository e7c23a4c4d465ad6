/** One message of a model as it is read: the state that running text, thoughts and blocks share. */

import type { ModelEvent } from "../../protocol/model-events.ts";
import type { MarkedDialect } from "../dialect.ts";
import { Input } from "./input.ts";
import { leftoverWatch, type LeftoverWatch } from "./leftovers.ts";
import type { Mark, MarkTable } from "./marks.ts";
import { outlet, type Outlet } from "./outlet.ts";
import type { ReadCall } from "./read-call.ts";
import type { Offered } from "./reader.ts";
import { textMask, type Mask } from "./scan.ts";
import type { Teller } from "./teller.ts";

export type Message = {
  readonly input: Input;
  readonly table: MarkTable;
  readonly offered: Offered;
  readonly teller: Teller;
  readonly emit: (event: ModelEvent) => void;
  /** The name of the dialect that was taught to the model or is known to be its own. */
  readonly known: string | undefined;
  readonly trace: Trace | undefined;
  /** The calls of a text that is nothing but marked calls. */
  readonly readMarked: (text: string) => ReadCall[] | undefined;
  readonly leftovers: LeftoverWatch;
  mask: Mask;
  text: Outlet;
  reasoning: Outlet;
  hasText: boolean;
  /** Whether a thought is open, whether any of it was told, and whether one has ended. */
  thinks: boolean;
  toldThought: boolean;
  hasThought: boolean;
  /** How a thought would close that may have begun in the text. */
  mayThink: string | undefined;
  /** Whether a thought that closed had a call in it, which did not run (N5). */
  hadCallInThought: boolean;
  /** Whether a thought was found to be without an end: then no later one has an end either. */
  isEndless: boolean;
  /** Text that was taken but belongs to nothing yet: a call in an open thought, or what may be a whole message. */
  held: string[];
  /** Up to this place the text is known to be no whole message: it was read as one in vain. */
  notWholeUntil: number;
  /** Of the block that is read a message may hold only one; this is told instead of more. */
  onlyOne: ReadCall | undefined;
  /** Such blocks, as they were written, and their calls, which wait for the end of the answer. */
  readonly singles: string[];
  waiting: { call: ReadCall; from: MarkedDialect }[];
  /** Whether a block is being read, or was just read, which is no text. */
  isBlock: boolean;
  isCut: boolean;
  /** The block that begins ended with the answer before it was a call. */
  isHeadCut: boolean;
  isOver: boolean;
};

/** `at`: how many characters of the answer stand before the mark. */
export type Trace = (note: { at: number; mark: string; why: string }) => void;

type MessageOptions = Pick<
  Message,
  "table" | "offered" | "teller" | "emit" | "known" | "trace" | "readMarked"
>;

export const newMessage = (options: MessageOptions): Message => ({
  ...options,
  leftovers: leftoverWatch(options.table.leftovers, options.teller.doubt),
  input: new Input(),
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
  held: [],
  notWholeUntil: 0,
  onlyOne: undefined,
  singles: [],
  waiting: [],
  isBlock: false,
  isCut: false,
  isHeadCut: false,
  isOver: false,
});

export function say(message: Message, text: string): void {
  if (text === "") return;
  if (message.teller.holds) message.leftovers(text);
  endThought(message);
  for (const event of message.text.put(text)) {
    message.hasText = true;
    message.emit(event);
  }
}

/** Says text that was not read as such, and follows its Markdown. */
export function sayMarkup(message: Message, text: string): void {
  say(message, text);
  for (let at = 0; at < text.length; at += 1) message.mask.step(text.charCodeAt(at));
}

export function beginThought(message: Message): void {
  if (message.thinks) return;
  message.thinks = true;
  message.mayThink = undefined;
  message.toldThought = false;
  message.reasoning = outlet("reasoning-delta");
  message.reasoning.cut();
  message.text.cut();
}

export function think(message: Message, text: string): void {
  if (text === "") return;
  if (message.teller.holds) message.leftovers(text);
  beginThought(message);
  for (const event of message.reasoning.put(text)) {
    message.toldThought = true;
    message.emit(event);
  }
}

export function endThought(message: Message): void {
  if (!message.thinks) return;
  message.thinks = false;
  message.hasThought = true;
  if (message.toldThought) message.emit({ type: "reasoning-end" });
}

/** Markup stood here: what follows begins anew. */
export function beginAnew(message: Message): void {
  message.text.cut();
  message.mask = textMask();
}

/** Whether a mark may count at the place that is read. */
export function mayStand(message: Message, { where, means }: Mark): boolean {
  const { input, mask, hasText, teller, thinks } = message;
  if (thinks) return true;
  if (means.type === "whole") {
    if (input.position < message.notWholeUntil) return false;
    if (where === "start" && teller.count > 0) return false;
  }
  if (where === "start" && hasText) return false;
  if ((where === "line" || where === "start") && !mask.atLineStart()) return false;
  return !mask.masked() && !((means.type === "call" || means.type === "whole") && mask.quoting());
}
