/** Tests that a headless run neither ends early nor waits longer than it must. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { httpModel } from "../../providers/http-model.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { testHome, type TestHome } from "./testing/run.ts";

let home: TestHome;
beforeEach(async () => {
  home = await testHome();
});
afterEach(() => home.remove());

test("120 steps end with 0 by default", async () => {
  const steps = 120;
  const model = scriptedModel((_, round) =>
    round <= steps
      ? [{ call: "write_file", with: { path: `${round}.txt`, content: `${round}` } }]
      : [{ say: "All written." }],
  );
  const ran = await home.run(["-p", "x", "--mode", "accept-edits", "--output", "json"], model);
  expect([ran.code, JSON.parse(ran.out).changed.length]).toEqual([0, steps]);
});

const answer = `data: ${JSON.stringify({ model: "m", choices: [{ delta: { content: "Back." }, finish_reason: "stop" }] })}\n\n`;

test("a provider that is overloaded for 60 s costs 60 s, and at most one more wait", async () => {
  const overloadedMs = 60_000;
  const clock = { now: 0 };
  const server = createServer((_, reply) => {
    if (clock.now < overloadedMs) reply.writeHead(529).end("{}");
    else reply.writeHead(200, { "content-type": "text/event-stream" }).end(answer);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const waits: number[] = [];
  const after = async (random: number) => {
    clock.now = 0;
    waits.length = 0;
    const sleep = async (ms: number): Promise<void> => {
      waits.push(ms);
      clock.now += ms;
    };
    const model = httpModel({
      server: {
        provider: "test",
        wire: "openai-chat",
        baseUrl: `http://127.0.0.1:${port}/v1`,
        key: undefined,
        adjust: undefined,
        keyNames: [],
        local: true,
        unreachableAdvice: "Start it",
      },
      model: "m",
      retry: { sleep, random: () => random },
    });
    const ran = await home.run(["-p", "x"], model);
    expect([ran.code, ran.out]).toEqual([0, "Back.\n"]);
    expect(clock.now).toBeLessThanOrEqual(overloadedMs + (waits.at(-1) ?? 0));
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
  };
  for (const random of [0, 0.5, 0.999_999]) await after(random);
  await fc.assert(fc.asyncProperty(fc.double({ min: 0, max: 0.999_999, noNaN: true }), after), {
    numRuns: 5,
  });
});
