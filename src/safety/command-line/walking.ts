/** The state of a walk through a command line, and how to continue from there. */

import type { Input, Mount } from "../dangers/effect.ts";
import type { TextRange } from "../judgement.ts";
import type { ParsedScript } from "./parse.ts";
import { doubt, type Report } from "./report.ts";
import { type FunctionBody, type Output, type Shell, type Sink, subshell } from "./shell.ts";
import { isUnknown, noFlows, type Word } from "./word.ts";

/** The state of a walk at one command. */
export type Walk = {
  readonly shell: Shell;
  readonly input: Input;
  readonly report: Report;
  /** How many scripts enclose this one. */
  readonly depth: number;
  /** It is the line itself, not a script within it or a wrapped command. */
  readonly isPlain: boolean;
  /** Where in the line it stands; undefined if that is not known. */
  readonly range: TextRange | undefined;
  /** What is walked is the line's own, and says where in it it stands; other texts stand where they are run. */
  readonly isPlaced: boolean;
  /** It is only assumed that this runs. */
  readonly isGuess?: boolean;
  /** It is repeated without end. */
  readonly isEndless?: boolean;
  /** Functions that are being traced. */
  readonly calling: readonly FunctionBody[];
  /** Other processes run beside it, so a function that calls itself never ends. */
  readonly isConcurrent: boolean;
  /** It runs on another machine, or in a container. */
  readonly remote?: "host" | "container";
  /** Directories of this machine that are mounted in the container. */
  readonly mounts?: readonly Mount[];
  /** The current directory on this machine, outside the container. */
  readonly outside?: string | undefined;
  /** How to continue from here. */
  readonly follow: Follow;
  /** What its whole pipeline does. */
  readonly pipeline: { interpretsInput: boolean; usesNetwork: boolean };
};

export const noInput: Input = { text: undefined, flows: noFlows, isGiven: false };
export const openPipeline = (): Walk["pipeline"] => ({ interpretsInput: false, usesNetwork: false });

/** The beginning of a line. */
export const openWalk = (shell: Shell, report: Report, follow: Follow): Walk => ({
  shell,
  report,
  follow,
  input: noInput,
  depth: 0,
  isPlain: true,
  range: undefined,
  isPlaced: false,
  calling: [],
  isConcurrent: false,
  pipeline: openPipeline(),
});

/** What a command prints becomes another one's input. */
export const inputOf = ({ text, flows }: Output): Input => ({ text, flows, isGiven: true });

/** A sink that writes to itself is traced once. */
export function sinkOf(feed: Sink): Sink {
  let isFed = false;
  return (output) => {
    if (isFed) return;
    isFed = true;
    feed(output);
    isFed = false;
  };
}

/** The entry points of the walk, passed along so that the modules it uses need not import it. */
export type Follow = {
  script(script: ParsedScript, walk: Walk): Output;
  /** Traces text as shell code; unknown parts stay unknown. */
  text(code: Word, walk: Walk): Output;
  body(body: FunctionBody, walk: Walk): Output;
  /** Traces words as a separate command. */
  words(words: readonly Word[], walk: Walk): Output;
};

/** Traces the script of a substitution in a subshell. */
export function substitute(script: ParsedScript | undefined, walk: Walk): Output {
  if (!script) return { text: undefined, flows: noFlows };
  const shell = subshell(walk.shell);
  return walk.follow.script(script, { ...walk, shell, isPlain: false, input: noInput });
}

/**
 * Traces the script of `>(…)` on the input of its command, since most commands pass their input on, and on what is
 * written to this path.
 */
export function feed(script: ParsedScript | undefined, path: string, walk: Walk): void {
  if (!script) return;
  const { shell } = walk;
  const take = (output: Output): void => {
    const within = { ...walk, shell: subshell(shell), isPlain: false, input: inputOf(output) };
    walk.follow.script(script, within);
  };
  take(walk.input);
  shell.sinks.set(path, sinkOf(take));
}

/** `a[$(x)]`: bash runs `x` wherever this text, or a variable that holds it, is evaluated as a number or a name. */
export function tellLoaded(words: readonly Word[], { report }: Walk): void {
  if (words.some(({ text }) => /\[[^\]]*(?:\$\(|`)/u.test(text)))
    doubt(report, "high", "a text in it runs commands when it is taken for a number");
}

const mayBeLoaded = (word: Word): boolean => isUnknown(word) && word.carries.has("loaded");

/** Bash evaluates subscripts and prompts: substitutions in their text run, and those in the variables named there. */
export function evaluate(code: Word, walk: Walk): void {
  const names = code.text.match(/[A-Za-z_]\w*/gu) ?? [];
  const isLoaded = [code, ...names.flatMap((name) => walk.shell.variables.get(name) ?? [])].some(mayBeLoaded);
  if (isLoaded) doubt(walk.report, "high", "what runs commands in a text of it may be evaluated");
  if (!/[$`]/u.test(code.text)) return;
  doubt(walk.report, "high", "a text in it is evaluated a second time");
  const text = `: "${code.text.replaceAll('"', "")}"`;
  walk.follow.text({ ...code, text }, { ...walk, shell: subshell(walk.shell), isPlain: false });
}
