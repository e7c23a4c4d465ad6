/** What a program does with its arguments: the words in which the tables of dangers speak. */

import type { Risk } from "../../protocol/facts.ts";
import type { Flow, Word } from "../command-line/word.ts";

/** Languages whose literal code is looked into. */
export type Language = "shell" | "python" | "javascript" | "perl" | "ruby" | "php" | "awk" | "sed" | "other";

/**
 * One thing that a command does, as far as its words tell. How bad that is depends on the place, the flow and the code,
 * and is judged in one place for all programs (`safety/judge`); `danger` is for what only its program knows.
 */
export type Effect =
  /** Reads a file or everything below a directory. */
  | { type: "reads"; path: Word }
  /** Makes or changes a file. `content` is what will be in it, where the words tell. */
  | {
      type: "writes";
      path: Word;
      how: "replaces" | "appends" | "edits" | "creates";
      content?: Word;
      /** What is in it comes from the program itself: `python -m venv`. */
      isBuilt?: boolean;
      /** It is a symbolic link, and what stands in it. */
      linksTo?: Word;
    }
  /** Removes it for good; `deep`: with everything below. `moved`: it is still there under another name. */
  | { type: "deletes"; path: Word; deep: boolean; moved?: boolean }
  /** Changes who may do what with it. `mode` as chmod takes it, or undefined for an owner. */
  | { type: "permits"; path: Word; mode: Word | undefined; deep: boolean }
  /**
   * Runs another program with these words; `input` is what reaches its standard input, that of the whole by default.
   */
  | {
      type: "runs";
      words: readonly Word[];
      input?: Input;
      variables?: readonly Variable[];
      directory?: Word;
      /** Elsewhere: on another machine or in a container. What it does to files is not done here. */
      remote?: boolean;
      /** But for these directories of this machine, which it sees there. */
      mounts?: readonly Mount[];
      /** The text is run once for each of many unknown inputs, which stand in its words as unknown parts. */
    }
  /** Runs text as code. Code that is not literal is dangerous by itself. */
  | {
      type: "interprets";
      language: Language;
      code: Word;
      /** What `$0`, `$1` … stand for in it: `bash -c code name first`. */
      arguments?: readonly Word[];
      remote?: boolean;
    }
  /** Runs what standard input says. */
  | { type: "interprets-input"; language: Language; remote?: boolean }
  /** Runs the code of a file: a script, a plugin, a configuration that executes. */
  | { type: "loads"; path: Word; language: Language; arguments?: readonly Word[] }
  /** Sends data to somewhere else: words, files, or its standard input. `to` is a host or an address. */
  | { type: "sends"; to: Word | undefined; words?: readonly Word[]; files?: readonly Word[]; input?: boolean }
  /** Asks another host for something. */
  | { type: "fetches"; from: Word | undefined }
  /**
   * Its output: exactly this text, or something that carries these flows. Without any the output is that of a reader.
   */
  | { type: "prints"; text?: Word; flows?: readonly Flow[] }
  /** It stops or watches processes that the line itself has started. */
  | { type: "handles-own-processes" }
  /** What only this program knows of itself. */
  | { type: "danger"; severity: Risk; because: string };

/** A directory of this machine, and the absolute path under which a container sees it. */
export type Mount = { source: Word; at: string; isReadOnly: boolean };

/** Standard input: its text where that is known, and what flows through it. */
export type Input = {
  text: Word | undefined;
  flows: ReadonlySet<Flow>;
  isGiven: boolean;
  /** The file that it is, as it was before this line. */
  from?: Word;
};

export type Variable = { name: string; value: Word };
