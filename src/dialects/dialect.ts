/** How a model writes a call as text: taught, written back into history, recognised and read. */

import type { Call, Part, ToolDescription } from "../protocol/messages.ts";
import type { ReadCall } from "./reading/read-call.ts";
import type { Offered, Reader, Reading } from "./reading/reader.ts";

/** What every dialect says of itself, however its calls are found. */
type Ways = {
  readonly name: string;
  /** What opens a call in running text. Several dialects may share an opener: `begins` decides. */
  readonly openers: readonly Opener[];
  /** How this family marks its thoughts, beside `<think>`, which is always understood. */
  readonly thoughts?: readonly Thought[];
  /** Its openers end an open thought at once (reserved vocabulary); others count only if the thought never closes. */
  readonly endsThoughts?: boolean;
  /**
   * Marks around plain text that mean nothing and are dropped. Those that prose could use only where the dialect is
   * known, and opening ones among them only as the first thing that is said.
   */
  readonly layout?: readonly string[];
  /** What ends the message when the model writes it itself: a next turn (N18). */
  readonly turns?: readonly string[];
  /** A tool result that the model invents (N9): ends the message too. */
  readonly results?: readonly string[];
  /** Closing tags that may stand behind a value without marks: then its opening one was lost. */
  readonly loneClosers?: readonly string[];

  /**
   * Where the prompt ends inside a block, as with `<|start|>assistant`: that part of it, from the block's opener on.
   * It is read before the answer, and dropped if no block goes on from it. An unknown prompt is empty.
   */
  continues?(prefix: string): string | undefined;

  /** The section of the system prompt that teaches the format and lists the tools. */
  teach(tools: readonly ToolDescription[]): string;
  /** The neighbouring calls of an answer as this dialect writes them, for history. */
  writeCalls(calls: readonly WrittenCall[]): string;
  /** The results of one answer, as the text of one user message. */
  writeResults(results: readonly WrittenResult[]): string;
  /** Strings after which the server should stop. They must not occur inside a well-formed call. */
  readonly stop: readonly string[];
  /** What must not reach the model from outside as it stands: the markers of calls, results and turns. */
  readonly markers: readonly string[];
  /** How many answers a turn takes at most where it is spoken, unless the user says otherwise (B10). */
  readonly rounds?: number;
  /** Which models were trained on it. */
  readonly family?: Family;
};

/**
 * Calls between marks. `token`: special tokens; `tagged`: tags that no prose uses; both count wherever a call may
 * stand. `taught`: it looks like ordinary text and counts only for the model that was taught it.
 */
export type MarkedDialect = Ways & {
  readonly tier: "token" | "tagged" | "taught";
  /** Reads one block, from behind its opener to its definite end. It tells calls, and never puts text back. */
  read(reader: Reader, opener: string): Reading;
  /** Closing tags that must not be left over after a call: then its end was forged by a value (N19). */
  readonly leftovers?: readonly string[] | ((offered: Offered) => readonly string[]);
};

/** Calls without marks: they count as the whole message, or at its end for a model that was taught a dialect (N7). */
export type WholeDialect = Ways & {
  readonly tier: "whole";
  /** The calls that a complete text is, if it is nothing but calls of tools on offer. */
  readWhole(text: string, offered: Offered, answer: WholeAnswer): ReadCall[] | undefined;
};

/** What else a complete text is read with. */
export type WholeAnswer = {
  /** It ended at its length limit: nothing unfinished may be completed. */
  readonly isCut: boolean;
  /** The dialect was taught to the model, or is known to be its own: then a guess is told as one. */
  readonly isKnown: boolean;
  /** The calls of a text that is nothing but marked calls of tools on offer, in any dialect that is on. */
  readonly readMarked: (text: string) => ReadCall[] | undefined;
};

/** A way of writing calls as text: taught, written, recognised and read. */
export type Dialect = MarkedDialect | WholeDialect;

/** What begins a call in running text. */
export type Opener = {
  readonly mark: string;
  /**
   * `line`: only where a line begins. `start`: only as the first thing that is said, or where a line begins if the
   * dialect is known. Else anywhere outside code, quotations and comments.
   */
  readonly where?: "line" | "start";
  /**
   * Whether what follows the mark makes it a call, or plain text; "more" while that is open.
   * Never sees more than 160 characters; still "more" then means text. Absent: always a call.
   */
  begins?(ahead: string, place: Place): Verdict;
};

export type Place = Pick<Reader, "offered" | "isKnown"> & {
  /** Whether a text begins with a marked call, in any dialect that is on. */
  readonly opens: (text: string) => Verdict;
};

export type Verdict = "call" | "text" | "more";

/** `isPaired`: its closing mark means nothing without the opening one. Words count only where they are known. */
export type Thought = { readonly open: string; readonly close: string; readonly isPaired?: boolean };

/** `template`: texts of a chat template, all of which show this dialect. `models`: names of models that speak it. */
export type Family = { readonly template: readonly string[]; readonly models?: RegExp };

/** A call as a dialect writes it into the history. */
export type WrittenCall = Pick<Call, "id" | "name" | "input">;
/** A result as a dialect writes it into the history. */
export type WrittenResult = {
  readonly id: string;
  readonly name: string;
  readonly content: readonly Part[];
  readonly isError: boolean;
};

export type { ReadCall } from "./reading/read-call.ts";
