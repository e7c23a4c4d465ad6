/** Tests `toolwright serve` and `serve link` from arguments to exit code, with real ports and files. */

import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testTerminal } from "../../tui/testing/terminal.ts";
import { runCli } from "../main.ts";

type Place = { root: string; state: string; work: string };

async function place(): Promise<Place> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-serve-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const work = join(root, "work");
  await mkdir(work);
  return { root, state: join(root, "state"), work };
}

type Started = { url: string; link: string; tokenFile: string; pid: number; workspace: string; mode: string };

function run({ root, state, work }: Place, ...words: string[]) {
  const terminal = testTerminal({ env: { HOME: root, PATH: process.env["PATH"] ?? "" }, cwd: work });
  const common = ["--state-dir", state, "--offline-model"];
  return { terminal, code: runCli([...common, ...words], terminal) };
}

/** Starts the server, and stops it when the test is over. */
async function serving(at: Place, ...more: string[]) {
  const served = run(at, "serve", "--port", "0", "--output", "json", ...more);
  await served.terminal.until("}\n");
  onTestFinished(async () => {
    served.terminal.raise("SIGTERM");
    await served.code;
  });
  const started: Started = JSON.parse(served.terminal.printed());
  const token = (await readFile(started.tokenFile, "utf8")).trim();
  const get = (path: string, bearer = token) =>
    fetch(started.url + path, { headers: { authorization: `Bearer ${bearer}` } });
  return { ...served, started, token, get };
}

test("serve prints its address, accepts its token, and exits with 0 on SIGTERM", async () => {
  const at = await place();
  const { terminal, code, started, token, get } = await serving(at);
  expect(started).toMatchObject({ workspace: at.work, mode: "staged", pid: process.pid });
  expect(started.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=[0-9a-f]{32}$/u);
  expect(token).toMatch(/^[0-9a-f]{64}$/u);
  for (const file of [started.tokenFile, join(at.state, "gateway.json")])
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await (await get("/health")).json()).toMatchObject({ status: "ok", mode: "staged" });
  terminal.raise("SIGTERM");
  expect(await code).toBe(0);
  expect(terminal.reported()).toBe("Stopping.\n");
  expect(await stat(join(at.state, "gateway.json")).catch(() => "gone")).toBe("gone");
});

test("telemetry that cannot be loaded is reported at the start, and the gateway runs anyway", async () => {
  const { terminal, get } = await serving(await place(), "--telemetry", "./none.mjs");
  expect(terminal.reported()).toMatch(/^toolwright: There is no telemetry: .*none\.mjs could not be loaded/u);
  expect((await get("/health")).status).toBe(200);
});

test("B13: sessions use the mode given by --mode", async () => {
  const { started } = await serving(await place(), "--mode", "ask");
  expect(started.mode).toBe("ask");
});

test("the gateway's and a page's token stay valid across restarts until --new-token", async () => {
  const at = await place();
  const first = await serving(at);
  const exchanged = await fetch(`${first.started.url}/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: first.started.link.split("#code=")[1] }),
  });
  const { token: page }: { token: string } = JSON.parse(await exchanged.text());
  first.terminal.raise("SIGTERM");
  await first.code;
  const second = await serving(at);
  expect(second.token).toBe(first.token);
  expect((await second.get("/health", page)).status).toBe(200);
  second.terminal.raise("SIGTERM");
  await second.code;
  const third = await serving(at, "--new-token");
  expect(third.token).not.toBe(first.token);
  for (const old of [first.token, page]) expect((await third.get("/health", old)).status).toBe(401);
});

test("`devices` lists the signed-in browsers and signs one out, with a running gateway and without", async () => {
  const at = await place();
  const none = run(at, "serve", "devices");
  expect(await none.code).toBe(0);
  expect(none.terminal.printed()).toContain("No browser is signed in");
  const { started, terminal, code, get } = await serving(at);
  const signIn = async (link: string): Promise<string> => {
    const reply = await fetch(`${started.url}/token`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "Firefox/144.0 (Linux)" },
      body: JSON.stringify({ code: link.trim().split("#code=")[1] }),
    });
    const { token }: { token: string } = JSON.parse(await reply.text());
    return token;
  };
  const another = run(at, "serve", "link");
  await another.code;
  const keys = [await signIn(started.link), await signIn(another.terminal.printed())];
  const ids = keys.map((key) => key.split("-")[1] ?? "");
  const listed = run(at, "serve", "devices");
  expect(await listed.code).toBe(0);
  expect(listed.terminal.printed()).toMatch(
    new RegExp(`^${ids[1]}  Firefox 144 on Linux  signed in .+ last used .+\n${ids[0]}  Firefox`, "u"),
  );
  const revoked = run(at, "serve", "devices", "revoke", ids[0] ?? "");
  expect(await revoked.code).toBe(0);
  expect([(await get("/health", keys[0])).status, (await get("/health", keys[1])).status]).toEqual([
    401, 200,
  ]);
  expect((await stat(join(at.state, "gateway-devices.json"))).mode & 0o777).toBe(0o600);

  terminal.raise("SIGTERM");
  await code;
  const stopped = run(at, "serve", "devices", "revoke", ids[1] ?? "", "--output", "json");
  expect(await stopped.code).toBe(0);
  expect(JSON.parse(stopped.terminal.printed())).toEqual({ revoked: ids[1] });
  const again = await serving(at);
  expect((await again.get("/health", keys[1])).status).toBe(401);
  const unknown = run(at, "serve", "devices", "revoke", ids[1] ?? "");
  expect(await unknown.code).toBe(1);
  expect(unknown.terminal.reported()).toMatch(/No browser "[0-9a-f]+" is signed in/u);
  expect(await run(at, "serve", "devices", "forget").code).toBe(2);
});

test("a second gateway names the running one, and `link` prints an address that works once", async () => {
  const at = await place();
  const { started } = await serving(at);
  const second = run(at, "serve", "--port", "0");
  expect(await second.code).toBe(1);
  expect(second.terminal.reported()).toContain(`process ${process.pid} at ${started.url}`);
  const link = run(at, "serve", "link");
  expect(await link.code).toBe(0);
  const [address = "", code = ""] = link.terminal.printed().trim().split("/#code=");
  expect(address).toBe(started.url);
  const exchange = async () =>
    (
      await fetch(`${started.url}/token`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code }),
      })
    ).status;
  expect([await exchange(), await exchange()]).toEqual([200, 401]);
});

test("`link` works from any directory, even above the state directory", async () => {
  const at = await place();
  await serving(at);
  const link = run({ ...at, work: at.root }, "serve", "link");
  expect(await link.code).toBe(0);
});

test("`link` fails without a running gateway, even if a killed one left its file", async () => {
  const at = await place();
  const nobody = run(at, "serve", "link");
  expect(await nobody.code).toBe(1);
  expect(nobody.terminal.reported()).toContain("start one with toolwright serve");
  await mkdir(at.state, { recursive: true });
  const dead = {
    url: "http://127.0.0.1:1",
    pid: 1,
    process: { pid: 1, started: "0", boot: "", space: "", host: "" },
  };
  await writeFile(join(at.state, "gateway.json"), JSON.stringify(dead));
  expect(await run(at, "serve", "link").code).toBe(1);
  const { get } = await serving(at);
  expect((await get("/health")).status).toBe(200);
});

test("a start that is impossible or wrongly asked for ends with a message and an exit code", async () => {
  const at = await place();
  const { started } = await serving(at);
  const other = { ...at, state: join(at.root, "other") };
  const port = new URL(started.url).port;
  const cases: [number, RegExp, string[]][] = [
    [1, /Port \d+ is in use by another program/u, ["serve", "--port", port]],
    [1, /is not an address of this machine/u, ["serve", "--host", "192.0.2.1", "--port", "0"]],
    [1, /cannot be a name of this gateway/u, ["serve", "--allow-host", "a/b", "--port", "0"]],
    [2, /serve takes only "link"/u, ["serve", "now"]],
    [2, /serve takes only "link"/u, ["serve", "link", "now"]],
    [2, /--port must be a whole number/u, ["serve", "--port", "70000"]],
    [2, /meet in a PostgreSQL database: name it with --database/u, ["serve", "--engine", "dbos"]],
    [2, /meet in a PostgreSQL database: name it with --database/u, ["worker"]],
    [2, /takes no further arguments, and "now" is one/u, ["worker", "now"]],
    [2, /--drain is for toolwright serve, acp and worker only/u, ["models", "--drain", "5"]],
    [1, /lies inside the workspace/u, ["serve", "--state-dir", join(at.work, "state")]],
  ];
  for (const [code, words, given] of cases) {
    const tried = run(other, ...given);
    expect(await tried.code, given.join(" ")).toBe(code);
    expect(tried.terminal.reported()).toMatch(words);
  }
});

test.each<[words: RegExp, given: string[]]>([
  [/There is no provider named "nosuch"/u, ["serve", "--port", "0", "--model", "nosuch/x"]],
  [/There is no provider named "nosuch"/u, ["mcp", "--model", "nosuch/x"]],
  [/There is no dialect "nosuch"/u, ["serve", "--port", "0", "--dialect", "nosuch"]],
  [/There is no dialect "nosuch"/u, ["mcp", "--dialect", "nosuch"]],
  [/--allow must be the name of a tool/u, ["serve", "--port", "0", "--allow", "npm test"]],
  ...["serve", "mcp", "lm-server", "explain", "doctor", "models", "context"].map(
    (name): [RegExp, string[]] => [
      /--allow or --deny is for "nosuch", which is no tool/u,
      [name, "--deny", "nosuch"],
    ],
  ),
])("%s %s: what can never hold or exist is a usage error before anything starts", async (words, given) => {
  const { root, state, work } = await place();
  const terminal = testTerminal({ env: { HOME: root }, cwd: work });
  expect(await runCli(["--state-dir", state, ...given], terminal)).toBe(2);
  expect([terminal.reported(), terminal.printed()]).toEqual([expect.stringMatching(words), ""]);
  await expect(stat(state)).rejects.toThrow("ENOENT");
});

test("listening for other machines prints a warning, and additional host names can be allowed", async () => {
  const { terminal, started } = await serving(
    await place(),
    "--host",
    "0.0.0.0",
    "--allow-host",
    "box.lan, other",
  );
  expect(terminal.reported()).toContain("! The gateway listens on 0.0.0.0");
  expect(started.url).toMatch(/^http:\/\/127\.0\.0\.1:/u);
});

test("a state directory writable by others is refused, as they could impersonate the gateway", async () => {
  const at = await place();
  await mkdir(at.state);
  await chmod(at.state, 0o777);
  const { terminal, code } = run(at, "serve", "--port", "0");
  expect(await code).toBe(1);
  expect(terminal.reported()).toContain("chmod 700");
  expect(terminal.printed()).toBe("");
});

test("text output says how to open and stop the gateway, and does not show the token", async () => {
  const at = await place();
  const { terminal, code } = run(at, "serve", "--port", "0");
  await terminal.until("Ctrl-C stops it.");
  const token = (await readFile(join(at.state, "gateway-token"), "utf8")).trim();
  terminal.raise("SIGINT");
  expect(await code).toBe(0);
  expect(terminal.printed()).toMatch(/In a browser {3}http:\/\/127\.0\.0\.1:\d+\/#code=/u);
  expect(terminal.printed()).toContain(join(at.state, "gateway-token"));
  expect(terminal.printed() + terminal.reported()).not.toContain(token);
});
