/** Tool servers that a client offers to its sessions. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testGateway } from "../testing/gateway.ts";

async function stage() {
  const gateway = await testGateway(scriptedModel([]));
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  const offer = (body: unknown) => gateway.ask("POST", "/tool-servers", body);
  return { gateway, offer };
}

const servers = { editor: { url: "http://127.0.0.1:9/mcp", headers: { authorization: "Bearer x" } } };

test("a program offers servers to a session, to a workspace, and to the gateway's own", async () => {
  const { gateway, offer } = await stage();
  const session = await gateway.newSession();
  for (const to of [{ session }, { workspace: gateway.test.workspace }, {}])
    expect(await offer({ ...to, servers })).toEqual({ status: 204, body: undefined });
  expect(await offer({ session: "20200101-000000-000000", servers })).toMatchObject({ status: 404 });
  expect(await offer({ workspace: "/nowhere/at/all", servers })).toMatchObject({ status: 400 });
});

test("servers elsewhere, and programs to be started, are refused", async () => {
  const { offer } = await stage();
  for (const server of [
    { url: "https://example.com/mcp" },
    { command: "sh" },
    { url: "http://127.0.0.1.evil:1/" },
  ])
    expect(await offer({ servers: { editor: server } })).toMatchObject({ status: 400 });
});

test("a signed-in browser offers nothing", async () => {
  const { gateway } = await stage();
  const code = gateway.link().split("#code=")[1];
  const headers = { "content-type": "application/json" };
  const reply = await gateway.raw("/token", { method: "POST", headers, body: JSON.stringify({ code }) });
  const { token }: { token: string } = JSON.parse(await reply.text());
  const offered = await gateway.raw("/tool-servers", {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: JSON.stringify({ servers }),
  });
  expect(offered.status).toBe(403);
});
