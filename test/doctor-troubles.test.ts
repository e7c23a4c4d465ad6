/** Everything that can be wrong with a machine, one trouble at a time: doctor names it and says what to do. */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { newHome, type Told, unwell } from "./support/doctor-place.ts";
import { otlpReceiver } from "./support/otlp.ts";
import { smallDisk } from "./support/small-disk.ts";

type Reply = { status: number; body: unknown };

/** Starts an HTTP server that replies by path; returns its address without a trailing slash. */
async function serving(reply: (path: string) => Reply): Promise<string> {
  const server = createServer((request, response) => {
    const { status, body } = reply(request.url ?? "");
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String(portOf(server.address()))}`;
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === "object" && address ? address.port : 0;

/** Runs a program that cannot make user namespaces. */
const forbidding = ["-Ur", "sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh"];

const forbids = (): Promise<boolean> =>
  promisify(execFile)("unshare", [...forbidding, "true"]).then(
    () => true,
    () => false,
  );

const isRoot = process.getuid?.() === 0;
const withKey = (baseUrl: string) => ({
  OPENAI_API_KEY: "sk-nobody1nobody1nobody1",
  OPENAI_BASE_URL: `${baseUrl}/v1`,
});

test("a configuration writable by others, one with a key readable by others, and a dangling symlink are warnings", async () => {
  const { home, doctor, configure } = await newHome();
  const path = await configure({
    providers: { mine: { baseUrl: "http://127.0.0.1:9", key: "k".repeat(20) } },
  });
  const told = async (): Promise<Told[]> => unwell((await doctor()).of("configuration"));
  expect(await told()).toEqual([]);
  await chmod(path, 0o644);
  expect(await told()).toMatchObject([
    { state: "warn", words: `others may read ${path}, which holds a key`, fix: `run \`chmod 600 ${path}\`` },
  ]);
  await chmod(path, 0o666);
  expect(await told()).toMatchObject([
    { words: expect.stringContaining("others may write"), fix: `run \`chmod go-w ${path}\`` },
  ]);
  const other = await newHome();
  await mkdir(join(other.home, ".config/toolwright"), { recursive: true });
  await symlink(join(home, "nowhere"), join(other.home, ".config/toolwright/config.jsonc"));
  expect(unwell((await other.doctor()).of("configuration"))).toMatchObject([
    { words: expect.stringContaining("leads nowhere") },
  ]);
});

test.runIf(isRoot)("a configuration owned by another user is a warning", async () => {
  const { doctor, configure } = await newHome();
  await chown(await configure({}), 12_345, 12_345);
  expect(unwell((await doctor()).of("configuration"))).toMatchObject([
    {
      state: "warn",
      words: expect.stringContaining("another user (12345)"),
      fix: expect.stringContaining("chown"),
    },
  ]);
});

test("an unknown key is a warning, and a directory in place of the configuration fails", async () => {
  const { home, doctor, configure } = await newHome();
  await configure({ modle: "x" });
  expect(unwell((await doctor()).of("configuration"))).toMatchObject([
    { words: expect.stringContaining('no option "modle" (did you mean "model"?)') },
  ]);
  const other = await newHome();
  await mkdir(join(other.home, ".config/toolwright/config.jsonc"), { recursive: true });
  const { code, of } = await other.doctor();
  expect([code, unwell(of("configuration"))]).toMatchObject([1, [{ state: "fail" }]]);
  expect(home).not.toBe(other.home);
});

test("a database locked by another program fails, although it can be read", async () => {
  const { home, doctor } = await newHome();
  await doctor();
  const holder = new DatabaseSync(join(home, ".local/state/toolwright/sessions.db"));
  onTestFinished(() => holder.close());
  holder.exec("BEGIN IMMEDIATE");
  const { code, of } = await doctor();
  expect(code).toBe(1);
  expect(unwell(of("database"))).toMatchObject([
    {
      state: "fail",
      words: "cannot be written (database is locked)",
      fix: expect.stringContaining("close the program"),
    },
  ]);
  holder.exec("ROLLBACK");
  expect((await doctor()).code).toBe(0);
});

test("a full disk under the state directory fails", async () => {
  const { home, env } = await newHome();
  const state = join(home, "state");
  const { through } = await smallDisk(state, { kilobytes: 40 });
  const [program = "", ...before] = through;
  const findings = await runThrough(
    [program, ...before],
    { env, cwd: join(home, "work") },
    "--state-dir",
    state,
  );
  const of = (check: string) => unwell(findings.filter((one) => one.check === check));
  expect(of("state directory")).toMatchObject([
    { state: "fail", words: expect.stringMatching(/the disk is full|larger than a file/u) },
  ]);
  expect(
    of("free disk").every(({ fix }) => fix === "delete something, or choose another place with --state-dir"),
  ).toBe(true);
});

/** Root may search and write every directory, unless it gives that up. */
const unable: [string, ...string[]] = isRoot
  ? ["setpriv", "--inh-caps=-all", "--bounding-set=-all"]
  : ["env"];

test("where the state directory cannot be made, the reason is told", async () => {
  const { home, env } = await newHome();
  const closed = join(home, "closed");
  await mkdir(closed, { mode: 0o500 });
  const place = { env, cwd: join(home, "work") };
  const state = join(closed, "state");
  const found = await runThrough(unable, place, "--state-dir", state);
  expect(found.find(({ check }) => check === "state directory")).toMatchObject({
    state: "fail",
    words: `Cannot write ${state}: permission is denied`,
  });
});

test("a provider that refuses the key or the connection fails, and one with an unexpected answer is a warning", async () => {
  const { doctor } = await newHome();
  const refusing = await serving(() => ({ status: 401, body: { error: { message: "bad key" } } }));
  const refused = await doctor([], withKey(refusing));
  expect([refused.code, refused.of("openai")]).toMatchObject([
    1,
    [{ state: "fail", words: expect.stringMatching(/refused the key \(401\).*OPENAI_API_KEY/u) }],
  ]);
  const gone = await doctor(["--model", "openai/x"], withKey("http://127.0.0.1:9"));
  expect([gone.code, gone.of("openai")]).toMatchObject([
    1,
    [{ state: "fail", words: expect.stringContaining("connection refused") }],
  ]);
  const strange = await serving(() => ({ status: 404, body: "what?" }));
  const silent = await doctor(["--model", "openai/x"], withKey(strange));
  expect([silent.code, silent.of("openai")]).toMatchObject([0, [{ state: "warn" }]]);
});

test("a model that its server does not list, and one without native tools, are reported with what to do", async () => {
  const { doctor } = await newHome();
  const listing = await serving(() => ({ status: 200, body: { data: [{ id: "good-model" }] } }));
  const wrong = await doctor(["--model", "openai/god-model"], withKey(listing));
  expect(unwell(wrong.of("model"))).toMatchObject([
    {
      words: 'openai lists no model "god-model" (did you mean "good-model"?)',
      fix: expect.stringContaining("toolwright models"),
    },
  ]);
  expect(unwell((await doctor(["--model", "openai/good-model"], withKey(listing))).of("model"))).toEqual([]);
  const bare = await serving((path) => {
    if (path === "/api/tags")
      return { status: 200, body: { models: [{ name: "tiny:latest", model: "tiny:latest" }] } };
    const shown = { capabilities: ["completion"], model_info: { "x.context_length": 40_000 } };
    return path === "/api/show" ? { status: 200, body: shown } : { status: 404, body: {} };
  });
  for (const name of ["ollama/tiny", "ollama/tiny:latest"])
    expect((await doctor(["--model", name], { OLLAMA_HOST: bare })).of("model")).toMatchObject([
      {
        words: expect.stringContaining("no native tools"),
        fix: expect.stringContaining("toolwright probe"),
      },
    ]);
});

test("tool servers that do not start, need a login or time out are each reported with what to do", async () => {
  const { doctor, configure } = await newHome();
  const wanting = await serving(() => ({ status: 401, body: {} }));
  await configure({
    mcpServers: {
      gone: { command: "no-such-server" },
      dies: { command: "false" },
      login: { url: `${wanting}/mcp` },
      hangs: { command: "sleep", args: ["86400"] },
      empty: {},
    },
  });
  const { code, of } = await doctor();
  expect(code).toBe(1);
  const told = unwell(of("tool servers"));
  expect(of("tool servers")).toHaveLength(told.length); // none of them is also reported as ok
  const about = (name: string): Told | undefined => told.find(({ words }) => words.startsWith(name));
  expect(about("gone")).toMatchObject({ state: "fail", fix: "install it" });
  expect(about("dies")).toMatchObject({ state: "fail", words: expect.stringContaining("exit code 1") });
  expect(about("login")).toMatchObject({ state: "warn", fix: "run `toolwright mcp login login`" });
  expect(about("hangs")).toMatchObject({
    state: "warn",
    fix: expect.stringContaining("toolwright mcp list"),
  });
  expect(about("empty")).toMatchObject({ state: "fail" });
  expect(told.every(({ fix }) => fix !== undefined)).toBe(true);
});

test("hooks with a syntax error, a missing program or an unreachable address are reported, and none is run", async () => {
  const { home, doctor, configure } = await newHome();
  const mark = join(home, "ran");
  await configure({
    hooks: [
      { on: "prompt", name: "syntax", command: "if then broken (" },
      { on: "prompt", name: "word", command: "no_such_program --now" },
      { on: "prompt", name: "address", url: "http://127.0.0.1:9/hook" },
      { on: "prompt", command: `touch ${mark}; FOO=1 true` },
      { on: "prompt", command: "cd . && X=1" },
    ],
    webSearch: { url: "http://127.0.0.1:9/search?key=canary" },
  });
  const { code, of } = await doctor();
  expect(code).toBe(1);
  expect(unwell(of("hooks")).map(({ words }) => words)).toEqual([
    expect.stringMatching(/^syntax: bash cannot read it \(.*syntax error/u),
    "word: there is no program no_such_program",
    "address: nothing answers at 127.0.0.1:9 (ECONNREFUSED)",
  ]);
  expect(unwell(of("web search"))).toMatchObject([
    { words: "nothing answers at http://127.0.0.1:9 (ECONNREFUSED)" },
  ]);
  await expect(promisify(execFile)("ls", [mark])).rejects.toThrow("No such file");
});

test("an unreachable telemetry collector is reported without its credentials", async () => {
  const { doctor } = await newHome();
  const collector = await otlpReceiver();
  const flags = ["--telemetry", collector.path];
  const there = await doctor(flags, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  expect(unwell(there.of("telemetry"))).toEqual([]);
  const gone = await doctor(flags, {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://ann:canary22@127.0.0.1:9",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "no address",
  });
  expect(unwell(gone.of("telemetry")).map(({ words }) => words)).toEqual([
    expect.stringMatching(
      /^http:\/\/.*127\.0\.0\.1:9 \(OTEL_EXPORTER_OTLP_ENDPOINT\) cannot be reached: ECONN/u,
    ),
    expect.stringContaining("it is no address"),
  ]);
  expect(JSON.stringify(gone.findings)).not.toContain("canary22");
});

/** Runs doctor as a process of its own, for conditions that affect a whole process. */
async function runThrough(
  [program, ...before]: readonly [string, ...string[]],
  { env, cwd }: { env: Record<string, string>; cwd: string },
  ...argv: string[]
): Promise<Told[]> {
  const bin = join(import.meta.dirname, "../src/cli/bin.ts");
  const command = [...before, process.execPath, "--no-warnings", bin, "doctor", "--output", "json", ...argv];
  const child = spawn(program, command, { env, cwd });
  let said = "";
  child.stdout.on("data", (piece: Buffer) => (said += piece.toString()));
  await once(child, "close");
  return JSON.parse(said || "[]");
}

test("missing or non-executable programs are reported with what to do", async () => {
  const { home, env } = await newHome();
  const empty = join(home, "bin");
  await mkdir(empty);
  await writeFile(join(empty, "git"), "#!/bin/sh\nexit 0\n", { mode: 0o644 });
  const found = await runThrough(["/usr/bin/env"], { env: { ...env, PATH: empty }, cwd: join(home, "work") });
  for (const name of ["git", "bash"])
    expect(found.find(({ check }) => check === name)).toMatchObject({
      state: "warn",
      words: "not found",
      fix: expect.stringMatching(/^install it/u),
    });
  expect(found.find(({ check }) => check === "ripgrep")?.state).toBe("ok");
});

test.runIf(await forbids())(
  "where the system forbids bubblewrap, Landlock stands in for it, and doctor says what to allow",
  async () => {
    const { home, env } = await newHome();
    const found = await runThrough(["unshare", ...forbidding], { env, cwd: join(home, "work") });
    const of = (name: string) => found.find(({ check }) => check === name);
    expect(of("sandbox")).toMatchObject({
      state: "warn",
      words: expect.stringMatching(/^landlock .*allow/u),
    });
    expect(of("undo")).toMatchObject({
      state: "warn",
      words: expect.stringContaining("only with bubblewrap"),
    });
  },
);

test.runIf(await forbids())(
  "a directory that no overlay can cover is named: sockets that appear there can be reached",
  async () => {
    const { home, env } = await newHome();
    // The kernel allows no overlay over a file system of processes.
    const found = await runThrough(["unshare", "-Urmpf", "--mount-proc=/srv"], {
      env,
      cwd: join(home, "work"),
    });
    expect(found.find(({ check }) => check === "sandbox")).toMatchObject({
      state: "warn",
      words: expect.stringContaining("sockets that other programs open in /srv while a command runs can be"),
    });
  },
);

test("a directory of the PATH that may not be searched is passed over by doctor", async () => {
  const { home, env, configure } = await newHome();
  const closed = join(home, "closed");
  await mkdir(closed, { mode: 0 });
  await configure({ mcpServers: { gone: { command: "no-such-server" } } });
  const found = await runThrough(unable, {
    env: { ...env, PATH: `${closed}:${env.PATH}` },
    cwd: join(home, "work"),
  });
  expect(found.find(({ words }) => words.startsWith("gone"))).toMatchObject({ state: "fail" });
});

/** Runs a program that has a broken one in the place of other programs of the system. */
const withoutPrograms = (names: string): readonly [string, ...string[]] => [
  "unshare",
  "-rm",
  "sh",
  "-c",
  'for name in $1; do mount --bind /dev/null "$(command -v "$name")" || exit; done; shift && exec "$@"',
  "sh",
  names,
];

const lacking = {
  "perl setpriv": [/^bubblewrap .*, but a command may outlive a Toolwright that is killed/u, "ok"],
  mount: [/, but sockets that other programs open in \/ while a command runs can be reached/u, "warn"],
  "perl unshare": [/may outlive a Toolwright .*sockets that other programs open/u, "warn"],
} as const;

test.runIf(await forbids()).each(["perl setpriv", "mount", "perl unshare"] as const)(
  "where %s do not work, doctor says which protection that costs",
  async (names) => {
    const { home, env } = await newHome();
    const found = await runThrough(withoutPrograms(names), { env, cwd: join(home, "work") });
    const of = (check: string) => found.find((one) => one.check === check);
    const [words, undo] = lacking[names];
    expect(of("sandbox")).toMatchObject({ state: "warn", words: expect.stringMatching(words) });
    expect(of("undo")).toMatchObject({ state: undo });
  },
);
