/** A row of the data about programs: what `src/safety/commands/*.yaml` and a user's configuration may say. */

import * as z from "zod/mini";

const tellings = z.union([z.string(), z.array(z.string())]);

/** All that one program may be given: with anything else it may write a file, run a program, or lead to another machine. */
const looking = z.strictObject({
  /** Its options, with "=" behind those that take a value; `-#` stands for a number (`-20`). */
  options: z.optional(tellings),
  /** What it may be told to do by its first operands, with commas between them; anything, if absent. */
  verbs: z.optional(z.string()),
  /** A pattern that every other operand has. */
  operands: z.optional(z.string()),
});

/** By the names of programs. A text lists the options; `always`: whatever its words are, it only looks. */
const looks = z.record(z.string(), z.union([z.string(), looking]));

export type Looks = z.infer<typeof looks>;

/** The texts are explained, with all their words, in `docs/programs.md`. */
export const commandRow = z.strictObject({
  /** The names of programs of which all this is true, with blanks between them. */
  programs: z.string().check(z.regex(/\S/u)),
  /** What each use does. */
  does: z.optional(tellings),
  /** What an option does: with its value if its name ends with "=", otherwise when it is given. */
  options: z.optional(z.record(z.string(), tellings)),
  /** Options whose value says nothing: they are listed so that it is not taken for an operand. */
  values: z.optional(z.string()),
  /** Options without a value that say nothing: they are listed so that their abbreviations are known. */
  flags: z.optional(z.string()),
  /** Short options whose value, if any, is the rest of the word (`-U3`), or what a pattern behind them matches of it. */
  attached: z.optional(z.string()),
  /** Of a subcommand of git: what the sandbox's profile for git can serve. `git.yaml` explains it. */
  git: z.optional(z.string().check(z.regex(/^(?:local|reads|fetches)\b/u))),
  /** What first operands do: for each thing that is done, the operands, with commas between them, or "otherwise". */
  verbs: z.optional(z.record(z.string(), z.string())),
  /** With one of these options, or with one of these words as its first operand, it does nothing. */
  unless: z.optional(z.string()),
  /** Without one of these it does nothing. */
  only: z.optional(z.string()),
  /** Which of its uses may look outside of the sandbox without a question, by the programs' names. */
  looks: z.optional(looks),
  /** `dash`: one dash starts a long option; `stop`: the first operand ends the options; `bundle`: as for tar; `bare`: no options. */
  form: z.optional(z.enum(["dash", "stop", "dash stop", "bundle", "bare"])),
  kind: z.optional(z.enum(["wrapper", "interpreter", "builds"])),
  /** Which uses check the workspace's files: `always`, `task`, `task or all`, or a pattern for the line, with `TEST_FILE`. */
  checks: z.optional(z.string()),
  /** How many leading words identify the action in an approval. */
  approve: z.optional(z.number()),
});

export type CommandRow = z.infer<typeof commandRow>;

/** A row, and where it stands: `builds.yaml:12`. */
export type PlacedRow = CommandRow & { readonly at: string };

/** Rows of a configuration: a user's take the place of what is known, a workspace's are only added to it. */
export type OwnPrograms = { readonly user: readonly PlacedRow[]; readonly workspace: readonly PlacedRow[] };
