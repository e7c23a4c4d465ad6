/** Requests sent on one connection without waiting for the replies. */

import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../hosting/session-host.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testGateway, testToken } from "../testing/gateway.ts";
import { testHost } from "../testing/host.ts";
import { requestText } from "./testing/raw.ts";

/** A gateway that counts its concurrent reads of the list. */
async function counting() {
  const made = await testHost(scriptedModel([]));
  const underWay = { now: 0, most: 0, ever: 0 };
  const rows: SessionHost["rows"] = async (which) => {
    underWay.now += 1;
    underWay.ever += 1;
    underWay.most = Math.max(underWay.most, underWay.now);
    await setImmediate();
    underWay.now -= 1;
    return made.host.rows(which);
  };
  const gateway = await testGateway(scriptedModel([]), { setup: { host: { ...made.host, rows } } });
  onTestFinished(async () => {
    await gateway.close();
    await made.close();
    await Promise.all([made.remove(), gateway.test.remove()]);
  });
  return { port: gateway.port, underWay };
}

const asking = (port: number, path: string, ...more: string[]): string =>
  requestText(
    `GET ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${testToken}`,
    ...more,
  );

test("pipelined requests are answered in order and processed one at a time", async () => {
  const { port, underWay } = await counting();
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  let heard = "";
  socket.on("data", (piece: string) => {
    heard += piece;
  });
  const paths = Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? "/sessions" : `/sessions/none-${at}`));
  socket.write(
    paths.map((path) => asking(port, path)).join("") + asking(port, "/sessions", "connection: close"),
  );
  await once(socket, "close");
  const told = [...heard.matchAll(/HTTP\/1\.1 (?<status>\d+)|There is no session (?<id>[\w-]+)/gu)];
  const wanted = paths.flatMap((path) =>
    path === "/sessions" ? ["200"] : ["404", path.slice("/sessions/".length)],
  );
  expect(told.map(({ groups }) => groups?.["status"] ?? groups?.["id"])).toEqual([...wanted, "200"]);
  expect(underWay).toEqual({ now: 0, most: 1, ever: 21 });
});

test("pipelined requests are no longer processed once the client has gone", async () => {
  const { port, underWay } = await counting();
  const socket = connect(port, "127.0.0.1");
  socket.write(asking(port, "/sessions").repeat(50));
  await once(socket, "data");
  socket.destroy();
  const other = connect(port, "127.0.0.1").resume();
  other.write(asking(port, "/sessions", "connection: close"));
  await once(other, "close");
  expect(underWay.now).toBe(0);
  expect(underWay.ever).toBeLessThan(20);
});
