/** Tests `toolwright probe`: its output streams, exit codes, and how the next run uses the result. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Model } from "../providers/provider.ts";
import { probeTasks } from "../runtime/probe/tasks.ts";
import { asText, atALoss, inWays, natively, probedModel, type Speaker } from "../testing/probed-models.ts";
import { serveModel, type ServeOptions } from "../testing/scripted-server.ts";
import { testTerminal, type TestTerminal } from "../tui/testing/terminal.ts";
import { runCli } from "./main.ts";

const all = probeTasks.length;
const wordsOnly = probeTasks.filter(({ right }) => "says" in right).length;
const taught: Speaker = (calls, asked) =>
  asked.dialect ? asText(asked.dialect)(calls, asked) : atALoss(calls, asked);
const onlyHermes = inWays({ hermes: taught });

test("probe prints a table with the dialect chosen to standard output, and progress to standard error", async () => {
  const { cli } = await start(probedModel(onlyHermes, { name: "tiny:1b" }));
  const ran = await cli(["probe", "ollama/tiny:1b"]);
  expect(ran.code).toBe(0);
  const [head = "", ...rows] = ran.out.trimEnd().split("\n");
  expect(head.split(/ {2,}/).join(", ")).toBe(
    "dialect, right, repaired, unreadable, tokens in, tokens out, an answer",
  );
  expect(rows.map((row) => row.split(/ {2,}/).slice(0, 2))).toEqual([
    ["native", `${wordsOnly}/${all}`],
    ["hermes", `${all}/${all}`],
    ["json-answer+schema", `${wordsOnly}/${all}`],
    ["json-fence", `${wordsOnly}/${all}`],
    ["From now on ollama/tiny:1b is asked in hermes."],
  ]);
  expect(ran.err.split("\n").slice(0, 5)).toEqual([
    expect.stringMatching(
      /^Measuring ollama\/tiny:1b at http:.*: \d+ tasks each in native, hermes, json-answer\+schema, json-fence\.$/,
    ),
    `native: ${wordsOnly} of ${all} right`,
    `hermes: ${all} of ${all} right`,
    `json-answer+schema: ${wordsOnly} of ${all} right`,
    `json-fence: ${wordsOnly} of ${all} right`,
  ]);
});

test("--verbose shows what was wrong with each failed task", async () => {
  const { cli } = await start(probedModel(onlyHermes, { name: "tiny" }));
  const { out } = await cli(["probe", "ollama/tiny", "--verbose", "--dialect", "native"]);
  expect(out).toContain("native, one call: it made no call, not 1; it said");
  expect(out).not.toContain("hermes,");
});

test("--output json prints a single object with the results", async () => {
  const { cli } = await start(probedModel(onlyHermes, { name: "tiny" }), { template: "x" });
  const { code, out } = await cli(["probe", "--model", "ollama/tiny", "--output", "json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    model: "ollama/tiny",
    server: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    template: expect.stringMatching(/^[0-9a-f]{64}$/),
    tasks: all,
    dialects: [
      { dialect: "native", right: wordsOnly, problems: expect.arrayContaining([expect.anything()]) },
      { dialect: "hermes", right: all, tasks: all, repaired: 0, unreadable: 0, problems: [] },
      { dialect: "json-answer+schema" },
      { dialect: "json-fence" },
    ],
    kept: true,
    used: "hermes",
  });
});

test("--report writes the figures to a file as a table or as JSON, without the server's address", async () => {
  const { cli, home } = await start(probedModel(onlyHermes, { name: "tiny|1b" }));
  const flags = ["probe", "ollama/tiny|1b", "--report"];
  expect((await cli([...flags, "out.md"])).code).toBe(0);
  const table = await readFile(join(home, "out.md"), "utf8");
  const rows = table.trimEnd().split("\n");
  expect(rows[0]).toMatch(/^\| model \| server \| format \| constraint \| tasks right \|/u);
  expect(rows.slice(2).map((row) => row.split(" | ").slice(0, 5))).toEqual([
    ["| ollama/tiny\\|1b", "Ollama", "native", "–", `${wordsOnly} of ${all}`],
    ["| ollama/tiny\\|1b", "Ollama", "hermes", "–", `${all} of ${all}`],
    ["| ollama/tiny\\|1b", "Ollama", "json-answer", "schema", `${wordsOnly} of ${all}`],
    ["| ollama/tiny\\|1b", "Ollama", "json-fence", "–", `${wordsOnly} of ${all}`],
  ]);
  expect(table).not.toContain("127.0.0.1");
  const alone = ["--dialect", "hermes"];
  expect((await cli(["probe", "--report", "out.json", "ollama/tiny|1b", ...alone])).code).toBe(0);
  expect(JSON.parse(await readFile(join(home, "out.json"), "utf8"))).toMatchObject([
    { model: "ollama/tiny|1b", server: "Ollama", format: "hermes", constraint: "", tasks: all, right: all },
  ]);
});

test("a probe in which nothing works says so and what to do, in words and in JSON", async () => {
  const { cli } = await start(probedModel(atALoss, { name: "tiny" }));
  const ran = await cli(["probe", "ollama/tiny"]);
  expect(ran.code).toBe(0);
  expect(ran.out).toMatch(
    /\nNothing works: ollama\/tiny did at most 2 of 22 tasks right in any format, .*no format is known .*larger/u,
  );
  expect(ran.out).not.toContain("From now on");
  const { out } = await cli(["probe", "ollama/tiny", "--output", "json", "--dialect", "native"]);
  expect(JSON.parse(out)).toMatchObject({ works: false, kept: true });
});

test("a model that does less than a quarter of the tasks right is not said to suit any format", async () => {
  const rarely: Speaker = (calls, asked) => (calls[0]?.name === "set_light" ? natively(calls, asked) : []);
  const { cli } = await start(probedModel(rarely, { name: "tiny" }));
  const { out } = await cli(["probe", "ollama/tiny", "--output", "json", "--dialect", "native"]);
  expect(JSON.parse(out)).toMatchObject({ works: false, kept: true, used: "native" });
});

test("in a terminal the progress is a single line that is overwritten", async () => {
  const { cli } = await start(probedModel(natively, { name: "tiny" }));
  const { err } = await cli(["probe", "ollama/tiny", "--dialect", "native"], true);
  expect(err).toContain("\r\u001B[Knative: 1/");
  expect(err.split("\n").at(-1)).toBe("\r\u001B[K");
});

test("Ctrl-C ends the probe immediately: the measurements so far are shown, and nothing is stored", async () => {
  const terminals: TestTerminal[] = [];
  let asked = 0;
  const stalls: Speaker = (calls, how) => {
    asked += 1;
    if (asked < 3) return natively(calls, how);
    queueMicrotask(() => terminals[0]?.raise("SIGINT"));
    return [{ wait: new Promise(() => undefined) }];
  };
  const { cli } = await start(probedModel(stalls, { name: "tiny" }), {}, (terminal) =>
    terminals.push(terminal),
  );
  const ran = await cli(["probe", "ollama/tiny"]);
  expect(ran).toMatchObject({ code: 130, err: expect.stringContaining("Interrupted: nothing was kept.\n") });
  expect(ran.out).toMatch(/^native {2,}3\/3 of \d+ /m);
  expect(ran.out).not.toContain("From now on");
});

test("if the server dies, JSON output reports the failure and the measurements so far", async () => {
  let served: { close(): Promise<void> } | undefined;
  let asked = 0;
  const dies: Speaker = (calls, how) => {
    asked += 1;
    if (asked === 3) setImmediate(() => void served?.close());
    return asked < 3 ? natively(calls, how) : [{ wait: new Promise(() => undefined) }];
  };
  const started = await start(probedModel(dies, { name: "tiny" }));
  served = started;
  const ran = await started.cli(["probe", "ollama/tiny", "--output", "json"]);
  expect(ran.code).toBe(1);
  expect(ran.err).toContain("Nothing was kept, because the model could not be asked.");
  expect(JSON.parse(ran.out)).toMatchObject({
    dialects: [{ dialect: "native", tasks: 3, right: 3 }],
    kept: false,
    problem: expect.stringContaining("Nothing was kept"),
  });
});

test("nothing is stored if every dialect had to be abandoned", async () => {
  const refuses: Speaker = () => [{ call: "x", with: {} }];
  const faults = Array.from({ length: 40 }, () => ({ status: 400, body: '{"error":"no"}' }));
  const { cli } = await start(probedModel(refuses, { name: "tiny" }), { faults });
  const ran = await cli(["probe", "ollama/tiny"]);
  expect(ran.code).toBe(1);
  expect(ran.out).toContain("native was given up: ");
  expect(ran.err).toContain("Nothing was kept, because no way could be measured");
});

test.each([
  [["probe", "one", "two"], 2, 'toolwright probe measures one model: "two" is one too many.'],
  [["probe", "--offline-model"], 2, "The offline model is a script"],
  [["probe", "ollama/tiny", "--dialect", "hermse"], 2, 'did you mean "hermes"?'],
  [["probe", "nobody/x"], 2, "nobody"],
  [["probe", "ollama/tiny", "--report"], 2, "needs the name of a file behind it that ends in .md or .json"],
  [["probe", "ollama/tiny", "--report", "no/where.md"], 2, "no directory that may be written to"],
  [["probe", "ollama/tiny", "--output", "stream-json"], 2, "toolwright probe prints no stream-json"],
])("%j is refused in one line", async (argv, code, words) => {
  const { cli } = await start(probedModel(natively));
  const ran = await cli(argv);
  expect(ran).toMatchObject({ code, out: "" });
  expect(ran.err).toMatch(/^toolwright: [^\n]+\n$/u);
  expect(ran.err).toContain(words);
});

async function start(
  model: Model,
  options: ServeOptions = {},
  meet: (terminal: TestTerminal) => unknown = () => 0,
) {
  const home = await mkdtemp(join(tmpdir(), "toolwright-home-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const served = await serveModel(model, options);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= served.close());
  onTestFinished(close);
  const cli = async (argv: string[], terminal = false) => {
    const env = { HOME: home, OLLAMA_HOST: served.url };
    const context = testTerminal({ env, cwd: home, terminal });
    meet(context);
    const code = await runCli(argv, context);
    return { code, out: context.printed(), err: context.reported() };
  };
  return { cli, close, home };
}
