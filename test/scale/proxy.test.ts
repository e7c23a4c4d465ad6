/** Two gateways behind a real proxy with TLS, none of them sticky: what a client sees when one of them is killed. */

import { writeFile } from "node:fs/promises";
import { chromium } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { connect, type Entry } from "../../src/client.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { patience } from "../page/browser.ts";
import { browserOptions } from "../support/chromium.ts";
import { freePort } from "../support/free-port.ts";
import { proxyBefore } from "../support/proxy-place.ts";
import { isTurnEnd, message, scalePlace } from "../support/scale-place.ts";
import { sized } from "../support/scale-size.ts";

const followers = sized(20, 200);

type Scripted = Parameters<typeof scalePlace>[0];

/** Two gateways with the same token, a worker, and the proxy before them. */
async function proxied(model: Scripted) {
  const place = await scalePlace(model);
  const port = await freePort();
  const flags = ["--allow-host", `https://localhost:${port}`];
  const first = await place.gateway(...flags);
  const { token } = first;
  await place.stateOf(2).then((state) => writeFile(`${state}/gateway-token`, token, { mode: 0o600 }));
  const second = await place.gateway(...flags);
  await place.worker();
  const ports = [first, second].map(({ url }) => Number(new URL(url).port));
  const proxy = await proxyBefore(ports, port);
  return { place, gateways: [first, second] as const, url: proxy.url, token };
}

/** Follows over a socket, or over HTTP, until the turn ends. `connections`: how often it had to connect. */
function follower({ url, token }: { url: string; token: string }, session: string, way: "socket" | "stream") {
  const seen: Entry[] = [];
  const stop = new AbortController();
  const hasWords = Promise.withResolvers<void>();
  let connections = 0;
  const counting: typeof fetch = (...asked) => {
    connections += 1;
    return fetch(...asked);
  };
  const client = connect({ url, token, fetch: way === "stream" ? counting : fetch });
  const live = way === "socket" ? client.live() : undefined;
  const countOpen = async (): Promise<void> => {
    for await (const { type } of live?.states(stop.signal) ?? []) if (type === "open") connections += 1;
  };
  const read = async (): Promise<void> => {
    const how = { signal: stop.signal };
    for await (const event of live ? live.follow(session, how) : client.events(session, {}, how)) {
      if (!("seq" in event)) hasWords.resolve();
      else if (seen.push(event) && isTurnEnd(event)) break;
    }
    stop.abort();
    live?.close();
  };
  void countOpen();
  return { seen, hasWords: hasWords.promise, ended: read(), connections: () => connections };
}

test("a gateway killed in mid-answer costs a follower one reconnect at most, and no fact", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel([
    [{ say: "Words before the end, " }, { wait: gate.promise }, { say: "and after." }],
  ]);
  const { gateways, url, token } = await proxied(model);
  const client = connect({ url, token });
  const { id } = await client.create({});
  expect(await client.command(id, message("say something"))).toEqual({ ok: true });
  const all = Array.from({ length: followers }, (_, at) =>
    follower({ url, token }, id, at % 2 === 0 ? "socket" : "stream"),
  );
  await Promise.all(all.map((one) => one.hasWords));
  gateways[0].child.kill("SIGKILL");
  await gateways[0].ended;
  gate.resolve();
  await Promise.all(all.map((one) => one.ended));
  const { facts } = await client.facts(id, {});
  for (const one of all) {
    expect(one.seen).toEqual(facts);
    expect(one.connections()).toBeLessThanOrEqual(2);
  }
  expect(all.some((one) => one.connections() === 2)).toBe(true);
});

test("the page works through the proxy, and goes on when a gateway is gone", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel([
    [{ say: "First words, " }, { wait: gate.promise }, { say: "last words." }],
    [{ say: "Second answer." }],
  ]);
  const { gateways, url, token } = await proxied(model);
  const browser = await chromium.launch(browserOptions);
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  page.setDefaultTimeout(patience);
  const said = (text: string) => page.getByRole("paragraph").filter({ hasText: text });
  await page.addInitScript((key) => localStorage.setItem("toolwright-key", key), token);
  const { id } = await connect({ url, token }).create({});
  await page.goto(`${url}/#/s/${id}`);
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("say something");
  await field.press("Enter");
  await said("First words,").waitFor();
  gateways[1].child.kill("SIGKILL");
  await gateways[1].ended;
  gate.resolve();
  await said("First words, last words.").waitFor();
  await field.fill("and again");
  await field.press("Enter");
  await said("Second answer.").waitFor();
  expect(await said("First words, last words.").count()).toBe(1);
});

test("what is not for everybody stays behind the proxy", async () => {
  const { url, token } = await proxied(scriptedModel([]));
  const headers = { authorization: `Bearer ${token}` };
  const statuses = ["/health/ready", "/health", "/metrics", "/sessions"].map(async (path) => [
    (await fetch(url + path)).status,
    (await fetch(url + path, { headers })).status,
  ]);
  expect(await Promise.all(statuses)).toEqual([
    [200, 200],
    [401, 200],
    [404, 404],
    [401, 200],
  ]);
});
