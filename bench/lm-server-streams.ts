/**
 * Many streams at once through the built `toolwright lm-server`: the age of a word when its client gets it, and the
 * server's memory, against the same streams from the provider directly. `node bench/lm-server-streams.ts [streams]
 * [folder of the build]`.
 */

import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { printTable, quantile, shown } from "./figures.ts";
import { makePlace, removePlace, type Place } from "./measure.ts";

const streams = Number(process.argv[2] ?? 200);
const command = join(resolve(process.argv[3] ?? join(import.meta.dirname, "..", "dist")), "bin.cjs");
const token = "a-token-for-the-bench";
const words = 100;
/** Milliseconds between two words of a stream: 20 words a second. */
const pace = 50;

/** Each word says when it left; both ends are in this process and have one clock. */
const provider = createServer((asked, reply) => {
  asked.resume();
  asked.on("end", () => void speak(reply));
});

async function speak(reply: ServerResponse): Promise<void> {
  reply.writeHead(200, { "content-type": "text/event-stream" });
  for (let at = 0; at < words; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, pace));
    reply.write(chunk({ content: `<${performance.now().toFixed(2)}> ` }));
  }
  reply.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
}

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`;
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

/** The ages of a stream's words, in milliseconds. */
function ages(url: string): Promise<number[]> {
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const asked = request(`${url}/chat/completions`, { method: "POST", headers, agent }, (reply) => {
    const found: number[] = [];
    let rest = "";
    reply.on("data", (piece: Buffer) => {
      const now = performance.now();
      rest += piece.toString();
      rest = rest.replaceAll(/<([\d.]+)>/gu, (_, left: string) => {
        found.push(now - Number(left));
        return "";
      });
      rest = rest.slice(-200);
    });
    reply.on("end", () => {
      if (found.length === words) resolve(found);
      else reject(new Error(`${reply.statusCode}: ${found.length} words came. ${rest}`));
    });
  });
  asked.on("error", reject);
  asked.end(JSON.stringify({ model: "m", messages: [{ role: "user", content: "Go." }], stream: true }));
  return promise;
}

async function startServer(
  { workspace, env }: Place,
  baseUrl: string,
): Promise<{ url: string; child: ChildProcess }> {
  const argv = [command, "lm-server", "--model", `${baseUrl}#m`, "--port", "0", "--dialect", "native"];
  const child = spawn(process.execPath, argv, {
    cwd: workspace,
    env: { ...env, TOOLWRIGHT_LM_TOKEN: token },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  for await (const piece of child.stdout) {
    said += String(piece);
    const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(said)?.[0];
    if (url !== undefined && said.includes("Ctrl-C")) return { url: `${url}/v1`, child };
  }
  throw new Error(`The server ended: ${said}`);
}

/** MiB, as the kernel counts it (Linux). */
function memory(child: ChildProcess, which: "VmRSS" | "VmHWM"): string {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return `${Math.round(Number(new RegExp(`${which}:\\s+(\\d+)`, "u").exec(status)?.[1]) / 1024)} MiB`;
}

async function measure(what: string, url: string, count: number): Promise<string[]> {
  const all = (await Promise.all(Array.from({ length: count }, () => ages(url)))).flat();
  return [what, String(count), ...[0.5, 0.95, 0.99, 1].map((part) => shown(quantile(all, part)))];
}

await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
const direct = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
const place = makePlace();
const { url, child } = await startServer(place, direct);
try {
  await measure("", url, 1);
  const idle = memory(child, "VmRSS");
  const rows = [
    [...(await measure("directly", direct, 1)), ""],
    [...(await measure("through", url, 1)), idle],
    [...(await measure("directly", direct, streams)), ""],
    [...(await measure("through", url, streams)), memory(child, "VmHWM")],
    [...(await measure("through, again", url, streams)), memory(child, "VmHWM")],
  ];
  console.log(
    `age of a word in milliseconds; ${words} words a stream, one every ${pace} ms; load ${loadavg()[0]?.toFixed(1)}`,
  );
  printTable([["streams", "at once", "p50", "p95", "p99", "at most", "memory"], ...rows]);
} finally {
  child.kill("SIGTERM");
  provider.close();
  provider.closeAllConnections();
  agent.destroy();
  removePlace(place);
}
