/** The effects that a program's arguments can have: the vocabulary of the program tables. */

import type { Risk } from "../../protocol/facts.ts";
import type { Flow, Word } from "../command-line/word.ts";
import type { TextRange } from "../judgement.ts";

/** Languages whose literal code is analysed. */
export type Language = "shell" | "python" | "javascript" | "perl" | "ruby" | "php" | "awk" | "sed" | "other";

/**
 * One effect of a command, as far as its words reveal it. Its severity depends on the place, the data flow and the
 * code, and is judged in one place for all programs (`safety/judge`); `danger` covers what only a program's row can
 * know.
 */
export type Effect =
  /** Reads a file, or everything below a directory. */
  | { type: "reads"; path: Word }
  /** Creates or changes a file. `content` is its new content if the words reveal it. */
  | {
      type: "writes";
      path: Word;
      how: "replaces" | "appends" | "edits" | "creates";
      content?: Word;
      /** The program itself generates the content: `python -m venv`. */
      isBuilt?: boolean;
      /** A directory that was not there before, and is the program's own from then on. */
      isNew?: true;
      /** Creates a symbolic link to this target. */
      linksTo?: Word;
    }
  /** Removes a file or directory; `deep`: with its contents; `moved`: it still exists under another name (`to`). */
  | { type: "deletes"; path: Word; deep: boolean; moved?: boolean; to?: Word | undefined }
  /** Changes permissions: `mode` in chmod's syntax, undefined for a change of owner. */
  | { type: "permits"; path: Word; mode: Word | undefined; deep: boolean }
  /** Runs another program with these words; `input` is its standard input, by default that of the whole command. */
  | {
      type: "runs";
      words: readonly Word[];
      input?: Input;
      variables?: readonly Variable[];
      directory?: Word;
      /** Runs on another machine or in a container: its effects on files do not happen here. */
      remote?: boolean;
      /** Directories of this machine that are visible there. */
      mounts?: readonly Mount[];
      /** The command begins somewhere among these words, at the first that names a program. */
      isAmong?: boolean;
    }
  /** Runs text as code. Code that is not literal is dangerous in itself. */
  | {
      type: "interprets";
      language: Language;
      code: Word;
      /** The values of `$0`, `$1` … in the code: `bash -c code name first`. */
      arguments?: readonly Word[];
      remote?: boolean;
    }
  /** Runs its standard input as code. */
  | { type: "interprets-input"; language: Language; remote?: boolean }
  /** Runs the code in a file: a script, a plugin, an executable configuration. */
  | { type: "loads"; path: Word; language: Language; arguments?: readonly Word[] }
  /** Sends data out: words, files, or its standard input. `to` is a host or an address. */
  | { type: "sends"; to: Word | undefined; words?: readonly Word[]; files?: readonly Word[]; input?: boolean }
  /** Requests data from another host; `registry`: from that of a package manager. */
  | { type: "fetches"; from: Word | undefined; registry?: true }
  /**
   * The program's output: exactly this text, or text from these sources. Without this effect it prints what it reads.
   */
  | { type: "prints"; text?: Word; flows?: readonly Flow[] }
  /** Stops or observes only processes started by the same command line. */
  | { type: "handles-own-processes" }
  /** A danger that only the program's row can recognise. */
  | { type: "danger"; severity: Risk; because: string };

/** A directory of this machine, and the absolute path at which a container sees it. */
export type Mount = { source: Word; at: string; isReadOnly: boolean };

/** Standard input: its text if known, and its sources. */
export type Input = {
  text: Word | undefined;
  flows: ReadonlySet<Flow>;
  isGiven: boolean;
  /** Where in the line the commands stand that print it. */
  range?: TextRange | undefined;
  /** The file it is redirected from, with that file's content before this command line runs. */
  from?: Word;
};

export type Variable = { name: string; value: Word };
