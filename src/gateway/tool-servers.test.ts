/** Tool servers that a client lends to its sessions. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testGateway } from "../testing/gateway.ts";

async function stage() {
  const gateway = await testGateway(scriptedModel([]));
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  const lend = (body: unknown) => gateway.ask("POST", "/tool-servers", body);
  return { gateway, lend };
}

const servers = { editor: { url: "http://127.0.0.1:9/mcp", headers: { authorization: "Bearer x" } } };

test("a program lends servers to a workspace, the gateway's own by default", async () => {
  const { gateway, lend } = await stage();
  for (const to of [{ workspace: gateway.test.workspace }, {}])
    expect(await lend({ ...to, servers })).toEqual({ status: 204, body: undefined });
  expect(await lend({ workspace: "/nowhere/at/all", servers })).toMatchObject({ status: 400 });
});

test("servers elsewhere, and programs to be started, are refused", async () => {
  const { lend } = await stage();
  for (const server of [
    { url: "https://example.com/mcp" },
    { command: "sh" },
    { url: "http://127.0.0.1.evil:1/" },
  ])
    expect(await lend({ servers: { editor: server } })).toMatchObject({ status: 400 });
});

test("a signed-in browser lends nothing", async () => {
  const { gateway } = await stage();
  const code = gateway.link().split("#code=")[1];
  const headers = { "content-type": "application/json" };
  const reply = await gateway.raw("/token", { method: "POST", headers, body: JSON.stringify({ code }) });
  const { token }: { token: string } = JSON.parse(await reply.text());
  const lent = await gateway.raw("/tool-servers", {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: JSON.stringify({ servers }),
  });
  expect(lent.status).toBe(403);
});
