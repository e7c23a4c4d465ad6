/** Logging in at a server: through the browser, stored for later sessions, refreshed, and never by anyone else. */

import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { loginStore } from "./login-store.ts";
import { logIn } from "./login.ts";
import { oauthServer } from "./testing/oauth.ts";
import { startServers, temporaryPlace, wordsOf } from "./testing/servers.ts";

/** What we or the SDK printed on the console. */
const printed: unknown[] = [];
const { warn } = console;
beforeAll(() => {
  console.warn = (...words: unknown[]) => void printed.push(words);
});
afterAll(() => {
  console.warn = warn;
});

async function closedServer() {
  const server = await oauthServer();
  const place = await temporaryPlace();
  onTestFinished(async () => {
    await server.close();
    await rm(place, { recursive: true, force: true });
  });
  const logins = loginStore(join(place, "state"), { name: "s", url: server.url });
  return { server, place, logins, settings: { url: server.url } };
}

const { signal } = new AbortController();
/** A browser that opens the address and follows its redirect back. */
const browse = (address: string): void => void fetch(address).then((page) => page.text());

test("without a login, the notice says how to log in, and no client is registered", async () => {
  const { server, place } = await closedServer();
  const { manager, session, close } = await startServers({ s: { url: server.url } }, { place });
  onTestFinished(close);
  expect(manager.servers()[0]?.server.state.type).toBe("login");
  expect(manager.notices().map(({ text }) => text)).toEqual([
    "The tool server s wants a login: run `toolwright mcp login s`.",
  ]);
  expect(session.tools()).toEqual([]);
  expect(server.asked).not.toContain("POST /register");
});

test("a login is stored in a file readable only by its owner, used by sessions, and refreshed on expiry", async () => {
  const { server, place, logins, settings } = await closedServer();
  expect(await logIn(settings, { logins, show: browse, signal })).toEqual({
    ok: true,
    value: { isNew: true },
  });
  const [file = ""] = (await readdir(join(place, "state", "mcp"))).filter((name) =>
    name.startsWith("login-"),
  );
  expect((await stat(join(place, "state", "mcp", file))).mode & 0o777).toBe(0o600);
  const { call, close } = await startServers({ s: settings }, { place });
  onTestFinished(close);
  expect(wordsOf(await call("mcp__s__whoami", {}))).toMatch(/^you came with token-\d+$/u);
  server.tokens.clear();
  expect(wordsOf(await call("mcp__s__whoami", {}))).toMatch(/^you came with token-\d+$/u);
  expect(server.asked.filter((line) => line === "POST /token refresh_token")).toHaveLength(1);
  const kept = await readFile(join(place, "state", "mcp", file), "utf8");
  expect([...server.tokens].map((token) => kept.includes(token))).toEqual([true]);
});

test("a login revoked by the service leads to one notice asking for a new login, and nothing is printed", async () => {
  const { server, place, logins, settings } = await closedServer();
  expect(await logIn(settings, { logins, show: browse, signal })).toMatchObject({ ok: true });
  server.forget();
  const { manager, close } = await startServers({ s: settings }, { place });
  onTestFinished(close);
  expect(manager.notices().map(({ text }) => text)).toEqual([
    "The tool server s wants a login: run `toolwright mcp login s`.",
  ]);
  expect(printed).toEqual([]);
});

test("a manually registered client is used, and no other is registered", async () => {
  const { server, logins, settings } = await closedServer();
  const own = { ...settings, oauth: { clientId: "by-hand", scope: "read" } };
  expect(await logIn(own, { logins, show: browse, signal })).toMatchObject({ ok: true });
  expect(server.asked).not.toContain("POST /register");
});

test("a callback without the state of this login is rejected and changes nothing", async () => {
  const { logins, settings } = await closedServer();
  const statuses: number[] = [];
  const show = async (address: string): Promise<void> => {
    const back = new URL(address).searchParams.get("redirect_uri") ?? "";
    for (const query of ["code=stolen&state=guessed", "code=stolen", "error=denied"])
      statuses.push((await fetch(`${back}?${query}`)).status);
    statuses.push((await fetch(back.replace("/callback", "/else"))).status);
    browse(address);
  };
  const done = await logIn(settings, { logins, show: (address) => void show(address), signal });
  expect(statuses).toEqual([400, 400, 400, 404]);
  expect(done).toEqual({ ok: true, value: { isNew: true } });
});

test("a refused, aborted or unnecessary login leaves the stored login unchanged", async () => {
  const { logins, settings } = await closedServer();
  await logins.write({ tokens: { access_token: "old", token_type: "Bearer" } });
  const refuse = (address: string): void => {
    const sent = new URL(address).searchParams;
    const query = new URLSearchParams({
      error: "access_denied",
      error_description: "not\u001b[1m you",
      state: sent.get("state") ?? "",
    });
    void fetch(`${sent.get("redirect_uri")}?${query.toString()}`);
  };
  expect(await logIn(settings, { logins, show: refuse, signal })).toEqual({
    ok: false,
    problem: "the service refused the login: not you",
  });
  const controller = new AbortController();
  const givenUp = logIn(settings, {
    logins,
    show: () => controller.abort(new Error("enough")),
    signal: controller.signal,
  });
  await expect(givenUp).rejects.toThrow("enough");
  expect(await logins.read()).toEqual({ tokens: { access_token: "old", token_type: "Bearer" } });
  const open = await oauthServer({ isOpen: true });
  onTestFinished(() => open.close());
  expect(await logIn({ url: open.url }, { logins, show: browse, signal })).toEqual({
    ok: true,
    value: { isNew: false },
  });
  expect(await logIn({ command: "x" }, { logins, show: browse, signal })).toMatchObject({ ok: false });
});

test("the browser is sent only to http and https addresses", async () => {
  const server = await oauthServer({ authorize: "file:///etc/passwd" });
  const place = await temporaryPlace();
  onTestFinished(async () => {
    await server.close();
    await rm(place, { recursive: true, force: true });
  });
  const shown: string[] = [];
  const logins = loginStore(place, { name: "s", url: server.url });
  const show = (address: string): void => void shown.push(address);
  expect(await logIn({ url: server.url }, { logins, show, signal })).toEqual({
    ok: false,
    problem: "it sends the browser to file://, which is none of http or https",
  });
  expect(shown).toEqual([]);
});
