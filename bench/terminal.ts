/**
 * What a conversation on a screen costs while an answer of 20,000 deltas comes in (10 every 5 ms) and a person types a
 * key every 80 ms, on a pseudo terminal of 100×30: `node bench/terminal.ts [BLOCKS]`, after that many earlier answers
 * (10 by default). `TOOLWRIGHT_BENCH_FLAGS=--plain` measures the line conversation.
 */

import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { openPty, type Pty } from "../src/base/terminal/pty.ts";
import { median, printTable, quantile, shown } from "./figures.ts";
import { makePlace, removePlace } from "./measure.ts";

const earlier = Number(process.argv[2] ?? 10);
const flags = (process.env["TOOLWRIGHT_BENCH_FLAGS"] ?? "").split(" ").filter(Boolean);
const deltas = 20_000;
const atOnce = 10;
const everyMs = 5;
const keyMs = 80;
/** Kernel ticks in a second. */
const ticks = 100;

const text = [
  "The **comparison** leaves out an order of exactly `100.00`, which is what the test is about. ",
  "It goes on for some rows, with *words* that differ and [links](https://example.com/a). ",
].join("");
const pieces = Array.from({ length: deltas }, (_, at) => {
  const from = (at * 4) % text.length;
  return (text + text).slice(from, from + 4) + (at % 300 === 299 ? "\n\n- an item\n" : "");
});

const finish = `data: ${JSON.stringify({ id: "b", object: "chat.completion.chunk", model: "bench", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;

type Seen = { bytes: number; clears: number; screen: string; onText: (text: string) => void };

const place = makePlace();
const served = await serveAnswers();
const seen: Seen = { bytes: 0, clears: 0, screen: "", onText: () => undefined };
await fillCaches();
const pty = await openTerminal();
await shows(/ ask ·|^> /mu);
const atPrompt = { memory: memoryOf(pty.pid), cpu: cpuOf(pty.pid) };
for (let at = 0; at < earlier; at += 1) await say(`short ${at}`, `answer ${at} is over`);
seen.screen = "";
const before = { bytes: seen.bytes, cpu: cpuOf(pty.pid) };
pty.write("long answer please\r");
await shows(/comparison/u);
const echoes: number[] = [];
const started = performance.now();
while (!served.isOver()) {
  const key = String.fromCharCode(97 + (echoes.length % 26));
  const pressed = performance.now();
  const echoed = new Promise<number>((resolve) => {
    let after = "";
    seen.onText = (more) => {
      after += more;
      if (after.includes(key)) resolve(performance.now() - pressed);
    };
  });
  pty.write(key);
  const took = await Promise.race([echoed, pause(2_000, Number.NaN)]);
  if (!Number.isNaN(took)) echoes.push(took);
  await pause(Math.max(0, keyMs - (performance.now() - pressed)));
}
const streamed = (performance.now() - started) / 1_000;
await pause(500);
const cost = { bytes: seen.bytes - before.bytes, cpu: cpuOf(pty.pid) - before.cpu };
const idle = { bytes: seen.bytes, cpu: cpuOf(pty.pid) };
await pause(3_000);
const [load = 0] = loadavg();
console.log(
  `Node ${process.version}, ${cpus().length} cores, load ${load.toFixed(1)}; ${earlier} answers before`,
);
printTable([
  ["", "measured", "promised"],
  ["seconds of the stream", shown(streamed), ""],
  ["a key until its echo, ms: median", shown(median(echoes)), ""],
  ["  95 of 100", shown(quantile(echoes, 0.95)), "16 (60 at load 20)"],
  ["bytes for each delta", shown(cost.bytes / deltas), "25"],
  ["CPU seconds", shown(cost.cpu), "1.5"],
  ["clears of the screen", String(seen.clears), "0"],
  ["idle: bytes in 3 s", String(seen.bytes - idle.bytes), "0"],
  ["idle: CPU seconds each second", shown((cpuOf(pty.pid) - idle.cpu) / 3), "0.01"],
  ["until the prompt: CPU seconds", shown(atPrompt.cpu), "0.20"],
  ["memory at the prompt, MB", shown(atPrompt.memory), "90"],
  ["  after the answer", shown(memoryOf(pty.pid)), ""],
]);
pty.write("\u0003");
pty.write("\u0004");
await pause(500);
served.close();
removePlace(place);
process.exit(0);

/** The first start compiles all of the code, and keeps it for later ones when it ends. */
async function fillCaches(): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const first = await openTerminal(ended.resolve);
  await shows(/ ask ·|^> /mu);
  first.write("\u0004");
  await ended.promise;
  seen.screen = "";
}

async function openTerminal(onEnd: () => void = () => undefined): Promise<Pty> {
  const opened = await openPty({
    command: [
      process.execPath,
      join(import.meta.dirname, "..", "dist", "bin.cjs"),
      "--model",
      "openai-compatible/bench",
      ...flags,
    ],
    cwd: place.workspace,
    env: {
      HOME: join(place.root, "home"),
      PATH: process.env["PATH"] ?? "",
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      OPENAI_COMPATIBLE_BASE_URL: served.url,
    },
    columns: 100,
    rows: 30,
    onOutput(bytes) {
      const written = Buffer.from(bytes).toString();
      seen.bytes += bytes.length;
      seen.clears += written.split("\u001B[2J").length - 1;
      const plain = stripVTControlCharacters(written);
      seen.screen = (seen.screen + plain).slice(-20_000);
      seen.onText(plain);
    },
    onEnd,
  });
  if (!opened.ok) throw new Error(opened.problem);
  return opened.value;
}

async function shows(pattern: RegExp): Promise<void> {
  while (!pattern.test(seen.screen)) await pause(5);
}

async function say(message: string, answer: string): Promise<void> {
  pty.write(`${message}\r`);
  await shows(new RegExp(answer, "u"));
}

/** CPU seconds of a process, user and system. */
function cpuOf(pid: number): number {
  const [, user = "0", system = "0"] =
    /\) \S(?: \S+){10} (\d+) (\d+)/u.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  return (Number(user) + Number(system)) / ticks;
}

function memoryOf(pid: number): number {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1_024;
}

/** Short answers, and the long one at the pace of a fast model. */
async function serveAnswers() {
  let isOver = false;
  const server = createServer((request, reply) => {
    const body: Buffer[] = [];
    request.on("data", (piece: Buffer) => body.push(piece));
    request.on("end", () => {
      reply.writeHead(200, { "content-type": "text/event-stream" });
      const asked = Buffer.concat(body).toString();
      const [, number = ""] = /short (\d+)(?!.*short \d)/su.exec(asked) ?? [];
      if (asked.includes("long answer please")) void stream(reply).then(() => (isOver = true));
      else reply.end(chunkOf(`The answer ${number} is over.`) + finish);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, isOver: () => isOver, close: () => server.close() };
}

async function stream(reply: ServerResponse): Promise<void> {
  const begun = performance.now();
  for (let at = 0; at < pieces.length; at += atOnce) {
    for (const piece of pieces.slice(at, at + atOnce)) reply.write(chunkOf(piece));
    await pause(Math.max(0, begun + (at / atOnce) * everyMs - performance.now()));
  }
  reply.end(finish);
}

function chunkOf(content: string): string {
  const choice = { index: 0, delta: { content }, finish_reason: null };
  return `data: ${JSON.stringify({ id: "b", object: "chat.completion.chunk", model: "bench", choices: [choice] })}\n\n`;
}
