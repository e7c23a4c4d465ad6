/**
 * `node bench/commands.ts`: the cost of judging a command line: the shared commands, the longest and nastiest lines
 * that are still judged, and `inspect command` line by line.
 */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { judgeCommand } from "../src/safety/judge.ts";
import { around } from "../src/safety/testing/around.ts";
import { least, printTable, quantile, shown } from "./figures.ts";

const longest = 64 * 1024;

const commands = readFileSync("test/fixtures/commands.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line): { cmd: string } => JSON.parse(line))
  .map(({ cmd }) => cmd);

const timeOf = (line: string): number => {
  const started = performance.now();
  judgeCommand(line, around);
  return performance.now() - started;
};

measureCommands();
measureLongLines();
measureInspect();

/** Milliseconds per command, and commands per second. */
function measureCommands(): void {
  for (const line of commands) timeOf(line);
  const rounds = 40;
  const started = performance.now();
  const times = Array.from({ length: rounds }, () => commands.map(timeOf)).flat();
  const speed = (1000 * times.length) / (performance.now() - started);
  printTable([
    ["judging, ms", "p50", "p99", "max", "a second"],
    ["shared commands", ...[0.5, 0.99, 1].map((part) => shown(quantile(times, part))), shown(speed)],
    ["goal", "0.2", "5", "", "2000"],
  ]);
}

function measureLongLines(): void {
  const rows = longLines().map(([what, piece]) => {
    const line = repeated(piece);
    const times = [timeOf(line), timeOf(line), timeOf(line)];
    return [what, shown(times[0] ?? Number.NaN), shown(least(times)), judgeCommand(line, around).severity];
  });
  console.log("");
  printTable([["64 KiB of …, ms (goal 50)", "first", "least of 3", "judged"], ...rows]);
}

function repeated(piece: string): string {
  return piece.repeat(Math.ceil(longest / piece.length)).slice(0, longest);
}

function longLines(): [string, string][] {
  return [
    ["one word", "a"],
    ["arguments", "a b "],
    ["commands", "ls -l; "],
    ["deletions", "rm a\n"],
    ["pipes", "cat a | "],
    ["ands", "true && "],
    ["substitutions", "$(ls) "],
    ["nested substitutions", "$("],
    ["quoted nested substitutions", '"$('],
    ["parentheses", "("],
    ["back-ticks", "`a` "],
    ["escaped back-ticks", "\\`"],
    ["assignments", "a=$a$a; "],
    ["array elements", "a+=(b c); "],
    ["brace lists", "{a,b}"],
    ["ranges", "{1..99}"],
    ["variables", "${a:-$b}"],
    ["loops", "for i in a b; do\n"],
    ["functions", "f() { f; }; "],
    ["cases", "case x in a) "],
    ["heredocs", "cat <<E\n$(x)\nE\n"],
    ["heredocs on one line", "<<A "],
    ["nested scripts", "bash -c '"],
    ["evaluation", "eval 'ls' ; "],
    ["double quotes", '"'],
    ["single quotes", "'a' "],
    ["backslashes", "\\"],
    ["arithmetic", "$((1+"],
    ["parentheses of arithmetic", "((a) "],
    ["comments", "# a\n"],
    ["redirections", ">a "],
    ["text of a commit", "git commit -m 'a b' && "],
    ["deletions everywhere", "rm -rf /a "],
    ["control characters", "\u0001"],
    ["patterns", "*?[a] "],
  ];
}

/** The whole process, including its start. */
function measureInspect(): void {
  const lines = Array.from({ length: 20 }, () => commands)
    .flat()
    .map((cmd, at) => JSON.stringify({ id: String(at), cmd }));
  const times = Array.from({ length: 3 }, () => {
    const started = performance.now();
    const { status, stderr } = spawnSync(
      process.execPath,
      ["dist/bin.cjs", "inspect", "command", "--jsonl"],
      { input: `${lines.join("\n")}\n`, maxBuffer: 2 ** 28, encoding: "utf8" },
    );
    if (status !== 0) console.log(`inspect ended with ${status}: ${stderr}`);
    return performance.now() - started;
  });
  const best = least(times);
  console.log("");
  printTable([
    ["inspect command --jsonl", "lines", "ms", "a second (goal 2000)"],
    ["with its start", String(lines.length), shown(best), shown((1000 * lines.length) / best)],
  ]);
}
