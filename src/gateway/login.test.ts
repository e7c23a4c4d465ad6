/** People log in with a real identity provider: only those who were added, and only as whom the provider knows. */

import { mkdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import Provider from "oidc-provider";
import { expect, onTestFinished, test } from "vitest";
import { openPort } from "../base/listening.ts";
import { People } from "../hosting/people/people.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testGateway, type TestGateway, type TestGatewayOptions } from "../testing/gateway.ts";

type Account = { sub: string; email: string; isVerified: boolean };
type LoginStage = {
  gateway: TestGateway;
  people: People;
  /** Who logs in at the provider next. */
  account: Account;
};

async function stage(options: TestGatewayOptions = {}): Promise<LoginStage> {
  const server = createServer();
  const port = await openPort(server, { host: "127.0.0.1", port: 0 });
  if (!port.ok) throw new Error(port.problem);
  const issuer = `http://127.0.0.1:${port.value}`;
  const login = { issuer, client: "toolwright", secret: "a secret of the client" };
  const gateway = await testGateway(scriptedModel([]), { ...options, login });
  const stage = {
    gateway,
    people: new People(gateway.test.store.team),
    account: { sub: "1", email: "ada@example.org", isVerified: true },
  };
  serveProvider(server, { stage, ...login });
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  await mkdir(join(gateway.test.root, "north"));
  await stage.people.putTenant("north", join(gateway.test.root, "north"));
  await stage.people.putPerson("ada@example.org", { tenant: "north", role: "member" });
  return stage;
}

type ProviderSetup = { issuer: string; stage: LoginStage; client: string; secret: string };

/** Whoever comes is logged in at once as the present account, and agrees to everything. */
function serveProvider(server: Server, { issuer, stage, client, secret }: ProviderSetup): void {
  const provider = new Provider(issuer, {
    clients: [
      { client_id: client, client_secret: secret, redirect_uris: [`${stage.gateway.url}/login/done`] },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => {
      const { email, isVerified } = stage.account;
      return { accountId: sub, claims: () => ({ sub, email, email_verified: isVerified }) };
    },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? "",
        accountId: oidc.session?.accountId ?? "",
      });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  });
  const rest = provider.callback();
  server.on("request", (request, response) => {
    if (request.url?.startsWith("/interaction/"))
      void provider.interactionFinished(request, response, { login: { accountId: stage.account.sub } });
    else void rest(request, response);
  });
}

type LoginEnd = { url: string; status: number; text: string; cookie: string };

/** Follows every redirection as a browser does, with its cookies; returns where it ends. */
async function browse(start: string): Promise<LoginEnd> {
  const cookies = new Map<string, string>();
  for (let url = start; ;) {
    const { host } = new URL(url);
    const sent = [...cookies].filter(([name]) => name.startsWith(`${host} `)).map(([, cookie]) => cookie);
    const reply = await fetch(url, { redirect: "manual", headers: { cookie: sent.join("; ") } });
    for (const cookie of reply.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      cookies.set(`${host} ${pair.split("=")[0]}`, pair);
    }
    const location = reply.headers.get("location");
    if (location === null)
      return { url, status: reply.status, text: await reply.text(), cookie: sent.join("; ") };
    url = new URL(location, url).href;
  }
}

const exchange = ({ raw }: TestGateway, { url, cookie }: Pick<LoginEnd, "url" | "cookie">) =>
  raw("/token", {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify({ code: /#code=([0-9a-f]{32})$/u.exec(url)?.[1] ?? "" }),
  });

test("a person logs in with the provider, and the browser gets a token of theirs, once", async () => {
  const { gateway, people } = await stage();
  const end = await browse(`${gateway.url}/login`);
  const replies = await Promise.all([exchange(gateway, end), exchange(gateway, end)]);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 401]));
  const texts = await Promise.all(replies.map((reply) => reply.text()));
  const { token }: { token: string } = JSON.parse(texts.find((text) => text.includes(`"token":`)) ?? "{}");
  expect(await people.signedIn(token)).toMatchObject({ id: "ada@example.org", role: "member" });
  const made = await gateway.raw("/sessions", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: "{}",
  });
  expect(made.status).toBe(201);
});

test("what a login ends with is worth nothing in another browser, which would be logged in as somebody else", async () => {
  const { gateway, account, people } = await stage();
  await people.putPerson("eve@example.org", { tenant: "north", role: "member" });
  const mine = await browse(`${gateway.url}/login`);
  Object.assign(account, { sub: "2", email: "eve@example.org" });
  const { url } = await browse(`${gateway.url}/login`);
  for (const { cookie } of [mine, { cookie: "" }, { cookie: "toolwright-login=" }])
    expect((await exchange(gateway, { url, cookie })).status).toBe(401);
  expect((await exchange(gateway, mine)).status).toBe(200);
});

test("an address that only looks like somebody's, or becomes it in small letters, is nobody's", async () => {
  const { gateway, account, people } = await stage();
  await people.putPerson("mike@example.org", { tenant: "north", role: "owner" });
  for (const email of [
    "mi\u212Ae@example.org",
    "m\u0456ke@example.org",
    "mike@example.org\0",
    "mike@e\u0130.org",
  ]) {
    account.email = email;
    expect(await browse(`${gateway.url}/login`), email).toMatchObject({
      status: 403,
      text: expect.stringContaining("is nobody here"),
    });
  }
  account.email = "MIKE@Example.org";
  expect((await browse(`${gateway.url}/login`)).url).toContain("#code=");
});

test("behind a proxy with TLS the cookie is one that no other name of the domain can set", async () => {
  const { gateway } = await stage({ setup: { names: ["https://box.example"] } });
  const begun = await gateway.raw("/login", { redirect: "manual" });
  expect(begun.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-toolwright-login=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/u,
    ),
  ]);
});

test("who was not added, or whose address is not verified, does not get in", async () => {
  const { gateway, account } = await stage();
  account.isVerified = false;
  expect(await browse(`${gateway.url}/login`)).toMatchObject({
    status: 403,
    text: expect.stringContaining("no verified e-mail address"),
  });
  Object.assign(account, { sub: "2", email: "eve@example.org", isVerified: true });
  expect(await browse(`${gateway.url}/login`)).toMatchObject({
    status: 403,
    text: expect.stringContaining("is nobody here"),
  });
});

test("the audit log has each login, and each name that was refused once a minute, without secrets", async () => {
  const { gateway, account, people } = await stage();
  const end = await browse(`${gateway.url}/login`);
  const code = end.url.split("#code=")[1] ?? "";
  const browser = end.cookie.split("toolwright-login=")[1] ?? "";
  const token = await people.exchange(code, { browser, title: "Firefox on Linux" });
  Object.assign(account, { sub: "2", email: "eve@example.org" });
  for (const _ of [1, 2, 3]) await browse(`${gateway.url}/login`);
  account.isVerified = false;
  account.email = "bob@example.org";
  await browse(`${gateway.url}/login`);
  const audit = await people.audit(0);
  const told = audit.map(({ by, did }) => `${by}: ${did}`);
  expect(told.slice(0, 3)).toEqual([
    "toolwright: tenant-put",
    "toolwright: person-put",
    "ada@example.org: login",
  ]);
  // A minute may begin meanwhile.
  expect([...new Set(told.slice(3))]).toEqual([
    "eve@example.org: login-refused",
    "bob@example.org: login-refused",
  ]);
  expect(told.length).toBeLessThan(8);
  expect(audit[2]?.about).toMatchObject({ person: "ada@example.org", title: "Firefox on Linux" });
  for (const secret of [code, token?.slice(-64) ?? code]) expect(JSON.stringify(audit)).not.toContain(secret);
});

test("another account with the same address is not the same person", async () => {
  const { gateway, account } = await stage();
  expect((await browse(`${gateway.url}/login`)).url).toContain("#code=");
  account.sub = "another";
  expect(await browse(`${gateway.url}/login`)).toMatchObject({
    status: 403,
    text: expect.stringContaining("was somebody else"),
  });
});

test("the end of a login is worth nothing in another browser, or with another state", async () => {
  const { gateway } = await stage();
  const begun = await gateway.raw("/login", { redirect: "manual" });
  expect(begun.status).toBe(302);
  const [cookie = ""] = begun.headers.getSetCookie();
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/u);
  const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state");
  for (const headers of [{}, { cookie: "toolwright-login=e30" }, { cookie: "toolwright-login=%%" }])
    expect((await gateway.raw(`/login/done?code=x&state=${state}`, { headers })).status).toBe(403);
  for (const search of [
    "",
    "?code=x",
    "?code=x&state=other",
    `?code=x&state=${state}`,
    "?error=access_denied",
  ])
    expect(
      (await gateway.raw(`/login/done${search}`, { headers: { cookie: cookie.split(";")[0] ?? "" } })).status,
    ).toBe(403);
});

test("without a provider there is no login, and a provider that is away is told of in the log", async () => {
  const gateway = await testGateway(scriptedModel([]));
  const away = await testGateway(scriptedModel([]), {
    login: { issuer: "http://127.0.0.1:9/", client: "x" },
  });
  onTestFinished(async () => {
    for (const one of [gateway, away]) {
      await one.close();
      await one.test.remove();
    }
  });
  expect((await gateway.raw("/login")).status).toBe(204);
  expect((await gateway.raw("/login/done")).status).toBe(401);
  expect((await away.raw("/login")).status).toBe(403);
  expect(away.logged.join("\n")).toContain("a login failed");
});
