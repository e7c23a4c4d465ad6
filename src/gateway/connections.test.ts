/** Connections that exceed their time limits are closed, whatever they are waiting for; others stay open. */

import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testGateway, type TestGateway, testToken } from "../testing/gateway.ts";
import { closeOf, requestText } from "./testing/raw.ts";

/** The gateway's clock can be advanced, and it checks its connections continually. */
async function stage() {
  const clock = { ahead: 0 };
  const setup = { now: () => Date.now() + clock.ahead, lookMs: 10 };
  const gateway = await testGateway(scriptedModel([]), { setup });
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  return { gateway, clock };
}

async function opened({ port }: TestGateway, text = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await new Promise<void>((resolve) => void socket.once("connect", () => resolve()));
  socket.write(text);
  return socket;
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.resume();
    socket.on("close", () => resolve());
  });

test("of unauthenticated connections from one address the newest sixteen stay, as do those with the token", async () => {
  const { gateway, clock } = await stage();
  const known = gateway.socket();
  await new Promise((resolve) => void known.on("open", resolve));
  const strangers: Socket[] = [];
  for (let count = 0; count < 40; count += 1) strangers.push(await opened(gateway));
  const ends = new Set<Socket>();
  for (const stranger of strangers) void closed(stranger).then(() => ends.add(stranger));
  await expect
    .poll(async () => (await gateway.ask("GET", "/health")).body)
    .toMatchObject({ connections: 42 });
  clock.ahead += 1_000;
  await expect.poll(() => ends.size).toBe(24);
  expect(strangers.map((stranger) => ends.has(stranger))).toEqual(strangers.map((_, index) => index < 24));
  expect(known.readyState).toBe(known.OPEN);
  expect((await gateway.ask("GET", "/health")).body).toMatchObject({ connections: 18 });
  for (const socket of strangers) socket.destroy();
  known.terminate();
});

test("a request body that does not arrive in time closes its connection", async () => {
  const { gateway, clock } = await stage();
  const head = requestText(
    "POST /sessions HTTP/1.1",
    `host: 127.0.0.1:${gateway.port}`,
    `authorization: Bearer ${testToken}`,
    "content-type: application/json",
    "content-length: 100",
  );
  const slow = await opened(gateway, `${head}{`);
  await expect.poll(async () => (await gateway.ask("GET", "/metrics")).body).toMatch(/connections 2/u);
  clock.ahead += 30_000;
  await closed(slow);
  expect((await gateway.ask("GET", "/metrics")).body).toContain('closed_total{reason="late"} 1');
});

test("a socket that leaves four pings unanswered is closed", async () => {
  const { gateway, clock } = await stage();
  const [dead, living] = [gateway.socket(), gateway.socket()];
  await Promise.all(
    [dead, living].map((socket) => new Promise((resolve) => void socket.on("open", resolve))),
  );
  dead.pause();
  const metrics = async () => {
    clock.ahead += 15_000;
    return (await gateway.ask("GET", "/metrics")).body;
  };
  let pings = 0;
  living.on("ping", () => (pings += 1));
  const end = closeOf(dead);
  await expect.poll(metrics).toMatch(/sockets 1\n/u);
  expect(pings).toBeGreaterThanOrEqual(4);
  dead.resume();
  expect((await end).code).toBe(1006);
  expect(living.readyState).toBe(living.OPEN);
  living.terminate();
});
