/** How a model without native tools writes a call as text: taught, written back into history, and read. */
import type { Call, Part, ToolDescription } from "../protocol/messages.ts";

export interface Dialect {
  readonly name: string;
  /** The section of the system prompt that teaches the format and lists the tools. */
  teach(tools: readonly ToolDescription[]): string;
  /** A call as this dialect writes it, for history. */
  writeCall(call: Pick<Call, "name" | "input">): string;
  /** The results of one answer, as the text of one user message. */
  writeResults(results: readonly { name: string; content: readonly Part[]; isError: boolean }[]): string;
  /** What opens a call in running text. */
  readonly opener: string;
  readonly closer: string;
  /**
   * Whether what follows an opener can be a call, or makes the opener plain text; "more" while that is open.
   * Never sees more than 160 characters; still "more" then means text.
   */
  begins(ahead: string): "call" | "text" | "more";
  /** Strings after which the server should stop. They must not occur inside a well-formed call. */
  readonly stop: readonly string[];
  /** What ends the message if the model writes it in running text: an invented result or next turn. */
  readonly endings: readonly string[];
  /** What must not reach the model from outside as it stands: the markers of calls, results and turns. */
  readonly markers: readonly string[];
  /** Reads the text between opener and closer (or the end of the answer, `closed: false`) into calls. */
  readBody(body: string, closed: boolean): DialectRead;
}

/** A call without its id and source, which the extractor gives. */
export type ReadCall = Omit<Call, "id" | "source">;

/** `end` is where the last call ended: what follows it in the body belongs to no call. */
export type DialectRead = { ok: true; calls: ReadCall[]; end: number } | { ok: false; problem: string };
