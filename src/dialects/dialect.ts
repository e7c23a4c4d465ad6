/** The interface of a dialect: how a model writes calls as text, and how they are taught, written back and read. */

import type { JsonObject } from "../base/json.ts";
import type { ToolCall, ContentPart } from "../protocol/messages.ts";
import type { HeldForm } from "./constraint/held-form.ts";
import type { ReadCall, OfferedTools, BlockReader, StreamReading } from "./reading/reader.ts";

/** What every dialect defines, however its calls are found. */
type DialectTraits = {
  readonly name: string;
  /** What opens a call in running text. Several dialects may share an opener: `begins` decides. */
  readonly openers: readonly Opener[];
  /** Further openers, which depend on the tools on offer: their names. */
  readonly namedOpeners?: (offered: OfferedTools) => readonly Opener[];
  /** How this family marks its thoughts, beside `<think>`, which is always understood. */
  readonly thoughts?: readonly ThoughtMarks[];
  /** Its openers are reserved tokens and end an open thought at once; others count only if it never closes. */
  readonly endsThoughts?: boolean;
  /**
   * Meaningless marks around plain text, which are dropped. Marks that prose could contain are dropped only if the
   * dialect is known, and opening ones only at the very beginning.
   */
  readonly layout?: readonly string[];
  /** Tags around calls, which a server leaves behind when it takes the calls: dropped at the end of an answer. */
  readonly remains?: readonly string[];
  /** Marks of a next turn, which end the message if the model writes them (N18). */
  readonly turns?: readonly string[];
  /** Marks of a tool result, which also end the message, because the model invents it (N9). */
  readonly results?: readonly string[];
  /** The same as tags that other texts have, too: only at the beginning of a line, and if the dialect is known. */
  readonly plainResults?: readonly string[];
  /** Closing tags that may follow a value without marks, if its opening tag was lost. */
  readonly loneClosers?: readonly string[];

  /**
   * If the prompt ends inside a block, as with `<|start|>assistant`: the part from the block's opener on. It is read
   * before the answer, and dropped if the answer does not continue the block. An unknown prompt is empty.
   */
  continues?(prefix: string): string | undefined;

  /** Its own part of the section of the system prompt that teaches the format and lists the tools. */
  readonly lesson: Lesson;
  /** Adjacent calls of an answer, written in this dialect for the history. */
  writeCalls(calls: readonly WrittenCall[]): string;
  /** The results of one answer, as the text of one user message. */
  writeResults(results: readonly WrittenResult[]): string;
  /** Strings after which the server should stop. They must not occur inside a well-formed call. */
  readonly stop: readonly string[];
  /** What is defused in text from outside beside the marks that `markersOf` finds: other spellings, and plain words. */
  readonly markers?: readonly string[];
  /** The form between its marks, if a server can be told to hold the model to it. */
  readonly held?: HeldForm;
  /** For a dialect whose whole answer is one JSON value: its schema, if these are the tools with their arguments. */
  readonly answerSchema?: (
    tools: readonly AnswerTool[],
    calls: { mustCall: boolean; onlyOne: boolean },
  ) => JsonObject;
  /** For such a dialect: an answer of text and calls, written for the history. */
  readonly writeAnswer?: (text: string, calls: readonly WrittenCall[]) => string;
  /** Default limit of answers in a turn for models that use it (B10). */
  readonly rounds?: number;
  /** Which models were trained on it. */
  readonly family?: Family;
};

/**
 * Calls between marks. `token`: special tokens; `tagged`: tags that no prose uses; both count wherever a call may
 * stand. `taught`: it looks like ordinary text and counts only for the model that was taught it. @experimental
 */
export type MarkedDialect = DialectTraits & {
  readonly tier: "token" | "tagged" | "taught";
  /** Reads one block, from after its opener to its definite end. It reports calls, and never gives text back. */
  read(reader: BlockReader, opener: string): StreamReading;
  /** Closing tags which show, if left over after a call, that a value contained a forged end (N19). */
  readonly leftovers?: readonly string[] | ((offered: OfferedTools) => readonly string[]);
};

/**
 * Calls without marks, which count as a whole message, or at its end if the model was taught a dialect (N7).
 * @experimental
 */
export type WholeDialect = DialectTraits & {
  readonly tier: "whole";
  /** From a model that is known to write it, a fence counts with words behind it, too. */
  readonly mayGoOn?: true;
  /** The calls in a complete text, if it consists only of calls of offered tools. */
  readWhole(text: string, offered: OfferedTools, answer: WholeAnswer): ReadCall[] | undefined;
};

/** A dialect's own part of its lesson. @experimental */
export type Lesson = {
  /** The form of a call, with placeholders; or only the arguments of one, for `writeCalls`. */
  readonly form?: string | JsonObject;
  /** Further rules, one sentence each. */
  readonly rules: readonly string[];
  /** What is said of results, if not that they come in the mark that `writeResults` writes. */
  readonly resultRules?: readonly string[];
  /** The rule for an answer without a call, if it is not plain text. */
  readonly ending?: string;
};

/** The context in which a complete text is read. */
export type WholeAnswer = {
  /** The answer ended at its length limit: nothing unfinished may be completed. */
  readonly isCut: boolean;
  /** The model was taught the dialect, or is known to use it: then guesses are accepted, and marked. */
  readonly isKnown: boolean;
  /** The calls in a text that consists only of marked calls of offered tools, in any active dialect. */
  readonly readMarked: (text: string) => ReadCall[] | undefined;
};

/** A way of writing calls as text: taught, written, recognised and read. @experimental */
export type Dialect = MarkedDialect | WholeDialect;

/** The beginning of a call in running text. @experimental */
export type Opener = {
  readonly mark: string;
  /**
   * `line`: only at the beginning of a line. `start`: only at the very beginning, or of a line if the dialect is known.
   * Calls without marks: `start`, unless they say `line`.
   * Absent: anywhere outside code, quotations and comments.
   */
  readonly where?: "line" | "start";
  /**
   * Whether what follows the mark makes it a call, or plain text; "more" while that is open.
   * Never sees more than 160 characters; still "more" then means text. Absent: always a call.
   */
  begins?(ahead: string, place: OpenerContext): CallVerdict;
};

export type OpenerContext = Pick<BlockReader, "offered" | "isKnown"> & {
  /** Whether a text begins with a marked call, in any active dialect. */
  readonly opens: (text: string) => CallVerdict;
};

export type CallVerdict = "call" | "text" | "more";

/**
 * Marks of a thought. `isPaired`: the closing mark only counts after the opening one. `answers`: reserved marks with
 * which the answer itself begins; they end a thought whose closing mark is missing.
 */
export type ThoughtMarks = {
  readonly open: string;
  readonly close: string;
  readonly isPaired?: boolean;
  readonly answers?: readonly string[];
};

/** `template`: texts that all occur in the chat templates of this dialect. `models`: names of models that use it. */
export type Family = { readonly template: readonly string[]; readonly models?: RegExp };

/** A call as a dialect writes it into the history. @experimental */
export type WrittenCall = Pick<ToolCall, "id" | "name" | "input">;
/** A result as a dialect writes it into the history. @experimental */
export type WrittenResult = {
  readonly id: string;
  readonly name: string;
  readonly content: readonly ContentPart[];
  readonly isError: boolean;
};

/** A tool's name, and the schema of its arguments without references. @experimental */
export type AnswerTool = { readonly name: string; readonly schema: JsonObject };

export type { ReadCall } from "./reading/reader.ts";
