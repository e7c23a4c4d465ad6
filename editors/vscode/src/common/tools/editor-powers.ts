/** What an editor can do for a session that no tool of the core can: the contract between the tools and vscode. */

import type { Expected } from "../../../../../src/base/expected.ts";
import type { ShellOutcome, ShellRequest } from "./user-shell.ts";

/** `line` and `column` count from 1, columns in UTF-16. */
export type EditorProblem = {
  severity: "error" | "warning";
  line: number;
  column: number;
  message: string;
  /** The program that found it, like "ts". */
  source?: string;
  code?: string;
};

/** Paths are relative to the workspace with `/`, or absolute outside of it. */
export type FileProblems = { path: string; problems: readonly EditorProblem[] };

/** A symbol as people name it: without a column. */
export type NamedSymbol = { symbol: string; path?: string | undefined; line?: number | undefined };

/** A place and the text of its line. */
export type SymbolUse = { path: string; line: number; text: string };

/** `from` and `to` are lines from 1, inclusive. `text` is empty where only the cursor stands. */
export type EditorSelection = { path: string; from: number; to: number; text: string };

export type OpenEditor = { path: string; standing: "active" | "visible" | "open"; isUnsaved: boolean };

/** One file that a rename would change, whole. */
export type RenamedFile = { path: string; before: string; after: string };

/** `code` is missing where the task is no process of its own. */
export type TaskEnd = { code?: number | undefined; problems: readonly FileProblems[] };

/** `answered`: the files about which somebody was asked, and has said all. */
export type ExaminedFiles = { isSettled: boolean; answered: readonly string[] };

/** Nothing here opens an editor or a terminal, except `showDiff` and `runInTerminal`; these take no focus either. */
export type EditorPowers = {
  /** All problems that the editor knows of at this moment, of all files. */
  problems(): readonly FileProblems[];
  /**
   * Makes the editor look at these files as they are on disk now; resolves when its checks have become quiet, or were
   * waited for long enough. `others` are looked at only if somebody can be asked about them.
   */
  examine(paths: readonly string[], signal: AbortSignal, others?: readonly string[]): Promise<ExaminedFiles>;
  selection(): EditorSelection | undefined;
  openEditors(): readonly OpenEditor[];
  definition(of: NamedSymbol): Promise<Expected<readonly SymbolUse[]>>;
  references(of: NamedSymbol): Promise<Expected<readonly SymbolUse[]>>;
  /** Plans only: the caller changes the files, so that it can be approved and undone. */
  planRename(of: NamedSymbol, newName: string): Promise<Expected<readonly RenamedFile[]>>;
  taskNames(): Promise<readonly string[]>;
  runTask(name: string, signal: AbortSignal): Promise<Expected<TaskEnd>>;
  /** In a terminal of the user's own shell. The problem says why nothing was run. */
  runInTerminal(request: ShellRequest): Promise<Expected<ShellOutcome>>;
  /** Shows a file beside a proposed text. */
  showDiff(path: string, proposed: string, title: string): Promise<Expected<undefined>>;
};
