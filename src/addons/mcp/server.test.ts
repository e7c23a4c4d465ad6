import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import type { Connection, Events } from "./connection.ts";
import { McpServer } from "./server.ts";

/** A server whose connections are made here: the events and the open requests of each. */
function connectedServer() {
  const connections: { events: Events; asked: PromiseWithResolvers<JsonObject>; isClosed: boolean }[] = [];
  const changes: (() => void)[] = [];
  const server = new McpServer("wiki", {
    async connect(events): Promise<Connection> {
      const made = { events, asked: Promise.withResolvers<JsonObject>(), isClosed: false };
      connections.push(made);
      return {
        title: "Wiki",
        instructions: undefined,
        has: { tools: false, resources: false, prompts: false },
        ask: () => made.asked.promise,
        close: async () => void (made.isClosed = true),
      };
    },
    changed: () => changes.splice(0).forEach((tell) => tell()),
    restAfter: () => 0,
  });
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise<void>((resolve) => void changes.push(resolve));
  };
  return { server, connections, until };
}

test("a call that an earlier connection refuses for want of a login leaves the present one as it is", async () => {
  const { server, connections, until } = connectedServer();
  server.start();
  await until(() => server.state.type === "ready");
  const call = server.ask("tools/call", {}, { signal: new AbortController().signal, timeout: 60_000 });
  connections[0]?.events.closed("the connection was closed");
  await until(() => server.state.type === "ready" && connections.length === 2);
  connections[0]?.asked.reject(Object.assign(new Error("Unauthorized"), { data: { status: 401 } }));
  expect(await call).toMatchObject({ ok: false, outcome: "failed" });
  expect(server.state.type).toBe("ready");
  expect(connections.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  await server.close();
});
