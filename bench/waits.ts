/**
 * What a person waits for: the prompt of a conversation, its first request, the build and the checks. `node
 * bench/waits.ts [prompt] [request] [build] [check] [test]`; all of them by default. Prints a table for
 * docs/performance.md.
 */

import { spawnSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { openPty } from "../src/base/terminal/pty.ts";
import { least, median, shown } from "./figures.ts";
import { makePlace, type Place, removePlace } from "./measure.ts";
import { type BenchServer, startBenchServer } from "./server.ts";

const root = join(import.meta.dirname, "..");
const built = [process.execPath, join(root, "dist", "bin.cjs")];
/** Looks first whether the build is older than the sources. */
const checkout = [join(root, "bin", "toolwright")];
const runs = Number(process.env["TOOLWRIGHT_RUNS"] ?? 25);

const message = ["Say something."];

/** Milliseconds from the start of the process. */
type Waited = { prompt: number; request: number };
type Room = { place: Place; server: BenchServer };
type Row = readonly [what: string, figure: () => Promise<string> | string];

const rows: Readonly<Record<string, Row>> = {
  prompt: ["`toolwright`, ms until the prompt", () => overRuns(built, "prompt")],
  checkout: ["`bin/toolwright`, ms until the prompt", () => overRuns(checkout, "prompt")],
  request: [
    '`toolwright "…"`, ms until the first request',
    () => overRuns([...built, ...message], "request"),
  ],
  build: ["`npm run build`, s", () => secondsOf("run", "build")],
  check: ["`npm run check`, s", () => secondsOf("run", "check")],
  test: ["`npm test`, s", () => secondsOf("test")],
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in rows));
if (unknown !== undefined || !(runs > 0)) {
  console.error(`usage: node bench/waits.ts [${Object.keys(rows).join("] [")}]; TOOLWRIGHT_RUNS=25`);
  process.exit(2);
}
console.log(
  `Node ${process.version}, ${cpus().length} cores; best / median of ${runs} starts, one run of npm`,
);
console.log("| what | measured | load before |\n|---|---|---|");
for (const [name, [what, figure]] of Object.entries(rows)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const [load = 0] = loadavg();
  console.log(`| ${what} | ${await figure()} | ${load.toFixed(1)} |`);
}

/** The first run, which creates the database and the compile cache and tries the sandbox, is not counted. */
async function overRuns(command: readonly string[], until: keyof Waited): Promise<string> {
  const context = { place: makePlace(), server: await startBenchServer() };
  try {
    await converse(context, command);
    const times: number[] = [];
    while (times.length < runs) times.push((await converse(context, command))[until]);
    return `${shown(least(times))} / ${shown(median(times))}`;
  } finally {
    context.server.close();
    removePlace(context.place);
  }
}

/** Runs a conversation, which is left at its prompt. */
async function converse({ place, server }: Room, command: readonly string[]): Promise<Waited> {
  server.requests.length = 0;
  const over = Promise.withResolvers<void>();
  const seen = Promise.withResolvers<number>();
  let screen = "";
  const started = performance.now();
  const pty = await openPty({
    command: [...command, "--model", "openai-compatible/one-shot"],
    cwd: place.workspace,
    env: {
      HOME: join(place.root, "home"),
      PATH: process.env["PATH"] ?? "",
      TERM: "xterm-256color",
      OPENAI_COMPATIBLE_BASE_URL: server.url,
    },
    columns: 100,
    rows: 30,
    onOutput(bytes) {
      screen += stripVTControlCharacters(Buffer.from(bytes).toString());
      if (/^> /mu.test(screen)) seen.resolve(performance.now());
    },
    onEnd() {
      seen.reject(new Error(`The conversation ended without a prompt:\n${screen}`));
      over.resolve();
    },
  });
  if (!pty.ok) throw new Error(pty.problem);
  const prompt = (await seen.promise) - started;
  pty.value.write("\u0004");
  await over.promise;
  return { prompt, request: (server.requests[0]?.arrived ?? Number.NaN) - started };
}

function secondsOf(...words: readonly string[]): string {
  const started = performance.now();
  const ran = spawnSync("npm", words, { cwd: root, encoding: "utf8" });
  if (ran.status !== 0) throw new Error(`npm ${words.join(" ")} failed:\n${ran.stdout}${ran.stderr}`);
  return shown((performance.now() - started) / 1000);
}
