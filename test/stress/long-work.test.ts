/** Long work on the command line: many rounds, with every failure in between that passes. */

import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { scriptedModel, type ModelScript } from "../../src/providers/scripted-model.ts";
import type { ServerFault } from "../../src/testing/scripted-server.ts";
import { newHome, runCommand } from "../support/command.ts";
import { lead, ollamaRoad, roads, serve } from "../support/roads.ts";
import { wholeSession } from "../support/whole-log.ts";

const rounds = 300;
const files = Object.fromEntries(Array.from({ length: rounds }, (_, at) => [`${at + 1}.txt`, `${at + 1}\n`]));
const anthropic = roads[0] ?? ollamaRoad;

/** Says a sentence and reads the next file, however often the same was asked before. */
const readsTo =
  (last: number, said: string): ModelScript =>
  ({ messages }) => {
    const next = messages.filter(({ role }) => role === "tool").length + 1;
    if (next > last) return [{ say: said }];
    return [
      { say: `This is step ${next} of many, each of them with a sentence of its own.` },
      { call: "read_file", with: { path: `${next}.txt` } },
    ];
  };

const overloaded: ServerFault = {
  status: 529,
  headers: { "retry-after": "1" },
  body: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
};
const limited: ServerFault = {
  status: 429,
  headers: { "retry-after": "1" },
  body: '{"type":"error","error":{"type":"rate_limit_error","message":"Slow down."}}',
};
const broken: ServerFault = { status: 500, body: "" };

/** By the number of the request. */
const faults = [
  ...fine(9),
  "hang-up",
  ...fine(40),
  limited,
  ...fine(50),
  ...Array.from({ length: 6 }, () => overloaded),
  ...fine(40),
  broken,
  ...fine(20),
  { cutAfterBytes: 1000 },
  ...fine(20),
  { cutAfterBytes: 1000 },
  { cutAfterBytes: 1000 },
  overloaded,
] satisfies ServerFault[];

function fine(count: number): ServerFault[] {
  return Array.from({ length: count }, () => "none");
}

test("a task of 300 rounds ends done through overload, a rate limit, server errors and lost connections", async () => {
  const home = await newHome(files);
  const server = await serve(scriptedModel(readsTo(rounds, "I have read all of them."), { pieces: 8 }), {
    faults,
  });
  const ended = await runCommand(home, [
    ...lead(home, anthropic, server.url),
    "-p",
    "Read them all.",
    "--output",
    "json",
  ]);
  expect(ended.code, ended.stderr).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    stopped: "done",
    text: "I have read all of them.",
    because: null,
    goOn: null,
  });
  const entries = await wholeSession(home.stateDir);
  const read = entries.flatMap((entry) => (entry.type === "result" ? [entry.outcome] : []));
  expect(read).toHaveLength(rounds);
  expect(new Set(read)).toEqual(new Set(["ok"]));
  expect(server.requests.length).toBe(rounds + 1 + faults.filter((fault) => fault !== "none").length);
});

test("a long outage is told in one line, and --retry-for ends the wait", async () => {
  const home = await newHome();
  const down = Array.from({ length: 50 }, () => broken);
  const server = await serve(scriptedModel([]), { faults: down });
  const given = [...lead(home, anthropic, server.url), "-p", "Hello", "--retry-for", "4s"];
  const ended = await runCommand(home, given);
  expect(ended.code).toBe(1);
  expect(ended.stderr.match(/Asking again/gu)).toHaveLength(1);
  expect(ended.stderr).toMatch(/It was asked [3-6] times in .*allow retries more time/u);
});

test("a limit that was set ends the run with the command that goes on, which does", async () => {
  const home = await newHome(files);
  const server = await serve(scriptedModel(readsTo(7, "Done.")));
  const flags = [...lead(home, anthropic, server.url), "--max-rounds", "4"];
  const stopped = await runCommand(home, [...flags, "-p", "Read on.", "--output", "json"]);
  expect(stopped.code).toBe(4);
  const { session, goOn } = JSON.parse(stopped.stdout) as { session: string; goOn: string };
  expect(goOn).toContain("--max-rounds 4");
  expect(goOn).toContain(`--resume ${session} -p "Go on."`);
  const went = await runCommand(home, wordsIn(goOn));
  expect({ code: went.code, ended: JSON.parse(went.stdout) as unknown }).toMatchObject({
    code: 0,
    ended: { session, text: "Done.", goOn: null },
  });
  await wholeSession(home.stateDir);
});

test("the command that goes on is told on standard error, too", async () => {
  const home = await newHome(files);
  const server = await serve(scriptedModel(readsTo(7, "Done.")));
  const told = await runCommand(home, [
    ...lead(home, anthropic, server.url),
    "--max-rounds",
    "1",
    "-p",
    "Read.",
  ]);
  expect(told.code).toBe(4);
  expect(told.stderr).toMatch(
    /^To go on: toolwright --model \S+ --max-rounds 1 --resume \S+ -p "Go on\."$/mu,
  );
});

/** The arguments of a command line, as a shell reads them. */
const wordsIn = (line: string): string[] =>
  execFileSync("sh", ["-c", `toolwright() { printf '%s\\0' "$@"; }; ${line}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
