/** What a program does with its arguments: the vocabulary of the tables. */

import type { Risk } from "../../protocol/facts.ts";
import type { Flow, Word } from "../command-line/word.ts";

/** Languages whose literal code is analysed. */
export type Language = "shell" | "python" | "javascript" | "perl" | "ruby" | "php" | "awk" | "sed" | "other";

/**
 * One thing that a command does, as far as its words tell. Its severity depends on the place, the flow and the code,
 * and is judged in one place for all programs (`safety/judge`); `danger` is for what only the program's row knows.
 */
export type Effect =
  /** Reads a file or everything below a directory. */
  | { type: "reads"; path: Word }
  /** Creates or changes a file. `content` is its new content, if the words tell. */
  | {
      type: "writes";
      path: Word;
      how: "replaces" | "appends" | "edits" | "creates";
      content?: Word;
      /** The program itself makes its content: `python -m venv`. */
      isBuilt?: boolean;
      /** It is a symbolic link with this target. */
      linksTo?: Word;
    }
  /** Removes it; `deep`: with everything below; `moved`: it still exists under another name. */
  | { type: "deletes"; path: Word; deep: boolean; moved?: boolean }
  /** Changes its permissions: `mode` as chmod takes it, undefined for a change of owner. */
  | { type: "permits"; path: Word; mode: Word | undefined; deep: boolean }
  /** Runs another program with these words; `input` is its standard input, by default the one of the whole. */
  | {
      type: "runs";
      words: readonly Word[];
      input?: Input;
      variables?: readonly Variable[];
      directory?: Word;
      /** On another machine or in a container: its effects on files do not happen here. */
      remote?: boolean;
      /** Directories of this machine that it sees there. */
      mounts?: readonly Mount[];
      /** It runs once for each of many unknown inputs, which are unknown parts of its words. */
    }
  /** Runs text as code. Code that is not literal is dangerous in itself. */
  | {
      type: "interprets";
      language: Language;
      code: Word;
      /** The values of `$0`, `$1` … in it: `bash -c code name first`. */
      arguments?: readonly Word[];
      remote?: boolean;
    }
  /** Runs its standard input as code. */
  | { type: "interprets-input"; language: Language; remote?: boolean }
  /** Runs the code of a file: a script, a plugin, a configuration that executes. */
  | { type: "loads"; path: Word; language: Language; arguments?: readonly Word[] }
  /** Sends data away: words, files, or its standard input. `to` is a host or an address. */
  | { type: "sends"; to: Word | undefined; words?: readonly Word[]; files?: readonly Word[]; input?: boolean }
  /** Requests something from another host. */
  | { type: "fetches"; from: Word | undefined }
  /** Its output: exactly this text, or text from these sources. Without this effect it prints what it reads. */
  | { type: "prints"; text?: Word; flows?: readonly Flow[] }
  /** Stops or watches processes that the line itself has started. */
  | { type: "handles-own-processes" }
  /** A danger that only the program's row knows. */
  | { type: "danger"; severity: Risk; because: string };

/** A directory of this machine, and the absolute path under which a container sees it. */
export type Mount = { source: Word; at: string; isReadOnly: boolean };

/** Standard input: its text if known, and its sources. */
export type Input = {
  text: Word | undefined;
  flows: ReadonlySet<Flow>;
  isGiven: boolean;
  /** The file it is redirected from, with its content before this line. */
  from?: Word;
};

export type Variable = { name: string; value: Word };
