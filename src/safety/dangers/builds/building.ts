/** Shared by build tools: options for executable configuration, outputs, and commands. */

import type { Checking } from "../checking.ts";
import { danger, loads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { runsInstead } from "../interpreting.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";

type Tool = {
  /** Short options (letters) whose value is irrelevant here. */
  readonly short?: string;
  /** Long options whose value is irrelevant here. */
  readonly long?: string;
  /** Options that name a file or directory whose code runs (a configuration, a plugin), by path or by name. */
  readonly loads?: string;
  /** Options that name an output file. */
  readonly writes?: string;
  /** Options whose value is a command. */
  readonly runs?: string;
  readonly oneDash?: boolean;
  readonly stop?: boolean;
  readonly verbs?: number;
  readonly checks?: Checking;
  readonly more?: (use: Use) => Iterable<Effect>;
};

const listed = (names = ""): string[] => namesIn(names);

/** A program that runs workspace-defined code, so it may do anything within the workspace. */
export function tool(names: string, given: Tool = {}): Program {
  const valued = [...listed(given.loads), ...listed(given.writes), ...listed(given.runs)];
  const isShort = (name: string): boolean => name.length === 1 && given.oneDash !== true;
  const options: OptionForm = {
    short: (given.short ?? "") + valued.filter(isShort).join(""),
    long: [...listed(given.long), ...valued.filter((name) => !isShort(name))],
    ...(given.oneDash ? { oneDash: true } : {}),
    ...(given.stop ? { stopAtOperand: true } : {}),
  };
  return program(names, (use) => built(use, given), {
    kind: "builds",
    options,
    ...(given.verbs === undefined ? {} : { verbs: given.verbs }),
    ...(given.checks ? { checks: given.checks } : {}),
  });
}

function* built(use: Use, given: Tool): Iterable<Effect> {
  for (const path of use.values(...listed(given.loads))) {
    if (isPath(path.text)) yield loads(path);
    // A file is reviewed by people; what comes in its place is not.
    if (use.input.isGiven && /^(?:-|\/dev\/stdin)$/u.test(path.text))
      yield danger("high", "it runs what comes in on its standard input");
  }
  yield* replaces(use.values(...listed(given.writes)).filter(({ text }) => !standard.has(text)));
  for (const { name, value } of use.options)
    if (value && listed(given.runs).includes(name))
      yield* runsInstead(name.length === 1 ? `-${name}` : `--${name}`, value);
  if (given.more) yield* given.more(use);
}

const standard = new Set(["-", "/dev/stdout", "/dev/stderr"]);

/** A plugin given by name belongs to the project. */
const isPath = (text: string): boolean => /[/\\\0]|^~|\.\w+$/u.test(text);
