/**
 * Commands too long for a frame go as requests, with the same guarantees: a message is retried, any other command is
 * sent once.
 */

import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { isObject } from "../base/json.ts";
import type { Command } from "../protocol/commands.ts";
import { remoteBounds } from "./bounds.ts";
import { connect } from "./client.ts";
import type { LiveConnection } from "./live.ts";

type Stage = { connection: LiveConnection; requests: string[] };

/** A gateway that cuts the connection during the first commands and accepts the later ones. */
async function stage(cuts: number): Promise<Stage> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
    request.on("end", () => {
      if (request.method !== "POST") return response.writeHead(404).end();
      requests.push(body);
      if (requests.length <= cuts) return request.socket.destroy();
      return response.setHeader("content-type", "application/json").end('{"ok":true}');
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${isObject(address) ? String(address["port"]) : ""}`;
  const connection = connect({ url, token: "secret", random: () => 0, WebSocket }).live();
  onTestFinished(async () => {
    connection.close();
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  return { connection, requests };
}

const long = "x".repeat(remoteBounds.frameBytes.most);
const others: Command[] = [
  { type: "answer-question", callId: "1", answer: "given", by: "test", text: long },
  { type: "undo", paths: [long] },
  { type: "rename", title: long },
];

test.each(others)("a long $type with an unknown outcome is not resent", async (command) => {
  const { connection, requests } = await stage(1);
  await expect(connection.command("s", command)).rejects.toMatchObject({ code: "outcome-unknown" });
  expect(requests).toHaveLength(1);
});

test("a long message is resent under the same id until it has an outcome", async () => {
  const { connection, requests } = await stage(2);
  const content = [{ type: "text" as const, text: long }];
  expect(await connection.command("s", { type: "send", content })).toEqual({ ok: true });
  expect(requests).toHaveLength(3);
  expect(new Set(requests).size).toBe(1);
  expect(requests[0]).toMatch(/"id":"[0-9a-f]{32}"/u);
});
