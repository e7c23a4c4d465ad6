/**
 * Text that the line has written into what a later part of it runs: a manifest's scripts, a build file, a test. Only
 * what is critical counts: nobody knows which of it runs.
 */

import { type Finding, gravest } from "../judgement.ts";
import { openReport } from "./report.ts";
import { type Output, subshell } from "./shell.ts";
import type { Walk } from "./walking.ts";
import { isUnknown, literal, type Word, withText } from "./word.ts";

type Run = (words: readonly Word[], walk: Walk) => Output;

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

export function writtenFinding(walk: Walk, run: Run): Finding | undefined {
  if (walk.isGuess) return undefined;
  const { workspace } = walk.shell.around;
  const report = { ...openReport(), steps: mostSteps };
  const within = (): Walk => ({
    ...walk,
    report,
    shell: { ...subshell(walk.shell), files: new Map(walk.shell.files), sinks: new Map() },
    isPlain: false,
    isGuess: true,
  });
  let isSet = walk.report.parts.some(({ argv = [] }) => argv.slice(1, 3).some((word) => setting.test(word)));
  for (const [path, { text, isBuilt = false }] of walk.shell.files) {
    if (isBuilt || !path.startsWith(`${workspace}/`) || inert.test(path)) continue;
    const runner = runners.find(([name]) => name.test(path))?.[1];
    if (!text || isUnknown(text)) isSet ||= runner === undefined;
    else if (runner) run([...runner.map(literal), text], within());
    else for (const one of commandsIn(text, compiled.test(path))) walk.follow.text(one, within());
  }
  if (isSet)
    for (const { argv = [] } of walk.report.parts)
      for (const word of argv.slice(1).filter((each) => /\s/u.test(each)))
        for (const one of commandsIn(literal(word), false)) walk.follow.text(one, within());
  const worst = gravest(
    [...report.parts, ...report.doubts].filter(({ because }) => !because.includes("looked at")),
  );
  return worst?.severity === "critical"
    ? { severity: "critical", because: `it runs what this line has written: ${worst.because}` }
    : undefined;
}

/** Verbs that write into a manifest or into settings. */
const setting = /^(?:pkg|config|set-script|scripts?)$/u;

/** What of a manifest may be a command: its texts in quotes, and its lines without the name in front. */
function commandsIn(word: Word, onlyQuoted: boolean): Word[] {
  const text = word.text.slice(0, longest).replaceAll("\\n", "\n").replaceAll("\\t", "\t");
  const quoted = [...text.matchAll(/"((?:[^"\\\n]|\\.)+)"|'([^'\n]+)'/gu)].map(
    ([, double, single = ""]) => double?.replaceAll(/\\(.)/gu, "$1") ?? single,
  );
  const lines = text.split("\n").map((line) => line.replace(/^[\s@+-]*(?:[\w./-]+\s*[:=]+[\s;@]*)?/u, ""));
  return [...quoted, ...(onlyQuoted ? [] : lines)]
    .filter((one) => /\s/u.test(one) && !one.startsWith("#"))
    .slice(0, mostTexts)
    .map((one) => withText(word, one));
}
