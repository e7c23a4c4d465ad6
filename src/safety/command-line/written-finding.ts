/**
 * Text that the line has written into what a later part of it runs: a manifest's scripts, a build file, a test. Only
 * what is critical counts: nobody knows which of it runs.
 */

import { type Finding, gravest } from "../judgement.ts";
import { guessing } from "./report.ts";
import { subshell } from "./shell.ts";
import type { Walk } from "./walking.ts";
import { isUnknown, literal, type Word, withText } from "./word.ts";

/** The programs that run such a file, by its name. */
const runners: readonly (readonly [RegExp, readonly [string, string]])[] = [
  [/\.pyw?$/u, ["python", "-c"]],
  [/\.[cm]?[jt]sx?$/u, ["node", "-e"]],
  [/\.rb$/u, ["ruby", "-e"]],
  [/\.php$/u, ["php", "-r"]],
  [/\.(?:pl|pm|t)$/u, ["perl", "-e"]],
  [/\.(?:sh|bash|bats|zsh)$/u, ["sh", "-c"]],
];
/** Of these only the texts in quotes may be commands. */
const compiled = /\.(?:lua|jl|R|exs?|rs|go|java|kts?|scala|groovy|swift|cs|ml|hs|cr|nim|zig|cc?|cpp|h)$/u;
/** Nothing in these runs. */
const inert = /\.(?:md|mdx|rst|txt|css|s[ac]ss|less|html?|csv|tsv|svg|log|sql|xml|lock|snap|patch|diff)$/iu;

const mostSteps = 300;
const mostTexts = 60;
const longest = 20_000;

export function writtenFinding(walk: Walk): Finding | undefined {
  if (walk.isGuess) return undefined;
  const { parts, doubts } = guessing(walk.report, mostSteps, (report) => {
    for (const { text, runner } of textsSeen(walk)) {
      if (report.steps <= 0) break;
      const within: Walk = {
        ...walk,
        report,
        shell: { ...subshell(walk.shell), files: new Map(walk.shell.files), sinks: new Map() },
        isPlain: false,
        isGuess: true,
      };
      if (runner) walk.follow.words([...runner.map(literal), text], within);
      else walk.follow.text(text, within);
    }
  });
  const worst = gravest([...parts, ...doubts].filter(({ because }) => !because.includes("looked at")));
  return worst?.severity === "critical"
    ? { severity: "critical", because: `it runs what this line has written: ${worst.because}` }
    : undefined;
}

type MayRun = { text: Word; runner?: readonly string[] | undefined };

/** The texts, each with the program that runs it if that is not the shell. */
function* textsSeen(walk: Walk): Iterable<MayRun> {
  const { shell, report } = walk;
  const { workspace } = shell.around;
  let isSet = report.parts.some(({ argv = [] }) => argv.slice(1, 3).some((word) => setting.test(word)));
  for (const [path, output] of shell.files) {
    const { text, isBuilt = false } = output;
    if (isBuilt || isKnown(output, walk) || !path.startsWith(`${workspace}/`) || inert.test(path)) continue;
    const runner = runners.find(([name]) => name.test(path))?.[1];
    if (!text || isUnknown(text)) isSet ||= runner === undefined;
    else
      yield* once(output, [text], walk, () =>
        runner ? [{ text, runner }] : commandsIn(text, compiled.test(path)).map((one) => ({ text: one })),
      );
  }
  if (!isSet) return;
  for (const part of report.parts) {
    if (isKnown(part, walk)) continue;
    const given = (part.argv ?? [])
      .slice(1)
      .filter((word) => /\s/u.test(word))
      .map(literal);
    if (given.length > 0)
      yield* once(part, given, walk, () =>
        given.flatMap((word) => commandsIn(word, false)).map((one) => ({ text: one })),
      );
  }
}

/** On this machine, and without data that somebody else may have written. */
const isUsual = ({ remote, input }: Walk): boolean => remote === undefined && !input.isGiven;

const isKnown = (source: object, walk: Walk): boolean =>
  isUsual(walk) && walk.report.looked.get(source)?.has(walk.shell.directory) === true;

/** Without variables it means the same to each program of the line that may run it, so the first one is asked. */
function* once(
  source: object,
  words: readonly Word[],
  walk: Walk,
  texts: () => Iterable<MayRun>,
): Iterable<MayRun> {
  const { shell, report } = walk;
  report.guesses -= 1 + Math.floor(words.reduce((sum, { text }) => sum + text.length, 0) / 512);
  yield* texts();
  if (!isUsual(walk) || words.some(({ text }) => text.includes("$"))) return;
  report.looked.set(source, (report.looked.get(source) ?? new Set()).add(shell.directory));
}

/** Verbs that write into a manifest or into settings. */
const setting = /^(?:pkg|config|set-script|scripts?)$/u;

/** What of a manifest may be a command: its texts in quotes, and its lines without the name in front. */
function commandsIn(word: Word, onlyQuoted: boolean): Word[] {
  const text = word.text
    .slice(0, longest)
    .replaceAll("\\n", "\n")
    .replaceAll("\\t", "\t")
    .replaceAll("$$", "$");
  const quoted = [...text.matchAll(/"((?:[^"\\\n]|\\.)+)"|'([^'\n]+)'/gu)].map(
    ([, double, single = ""]) => double?.replaceAll(/\\(.)/gu, "$1") ?? single,
  );
  const lines = text.split("\n").map((line) => line.replace(/^[\s@+-]*(?:[\w./-]+\s*[:=]+[\s;@]*)?/u, ""));
  return [...quoted, ...(onlyQuoted ? [] : lines)]
    .filter((one) => /\s/u.test(one) && !one.startsWith("#"))
    .slice(0, mostTexts)
    .map((one) => withText(word, one));
}
