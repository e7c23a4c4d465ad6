import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { serveModel } from "../src/testing/scripted-server.ts";
import { type Addition, dialect, peculiarity, surface, tool } from "./support/additions.ts";

const project = join(import.meta.dirname, "..");
const additions = [tool, peculiarity, dialect, surface];
const folders = ["src", "scripts", "docs", "examples", "test", "bench"];
const checkout = [...folders, "package.json", "tsconfig.json", "vitest.config.ts", "ARCHITECTURE.md"];
let root: string;
let copy: string;
/** What the check of the architecture says of the copy. */
let rules: string;

/** A copy of the checkout with all additions, made as the table of ARCHITECTURE.md says. */
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-adding-")));
  copy = join(root, "checkout");
  for (const name of checkout) await cp(join(project, name), join(copy, name), { recursive: true });
  await symlink(join(project, "node_modules"), join(copy, "node_modules"));
  for (const addition of additions) await add(addition);
  await run("scripts/generate-docs.ts");
  rules = await run("scripts/check-architecture.ts", "--write");
});
afterAll(() => rm(root, { recursive: true }));

async function add({ files, lines }: Addition): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await writeFile(join(copy, path), text);
  }
  for (const [path, changes] of Object.entries(lines)) {
    let text = await readFile(join(copy, path), "utf8");
    for (const { line, before } of changes) {
      expect(text.split(before), `${path} has one "${before}"`).toHaveLength(2);
      text = text.replace(before, `${line}\n${before}`);
    }
    await writeFile(join(copy, path), text);
  }
}

/** Runs a program of the copy in an empty home. Rejects if it fails. */
async function run(program: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: join(root, "home"), GROQ_API_KEY: "gsk_none" };
  const { stdout } = await promisify(execFile)(process.execPath, [join(copy, program), ...args], {
    cwd: copy,
    env,
  });
  return stdout;
}

/** The command of the copy, from its sources, in an empty workspace. */
async function toolwright(...args: string[]): Promise<string> {
  const program = join(copy, "toolwright.ts");
  await writeFile(
    program,
    'import { runCli } from "./src/cli/main.ts";\nprocess.exitCode = await runCli(process.argv.slice(2));\n',
  );
  const workspace = await mkdtemp(join(root, "workspace-"));
  return run("toolwright.ts", "--cwd", workspace, ...args);
}

test.each(additions)(
  "$row: the row of ARCHITECTURE.md names the files that it takes",
  async ({ row, files, lines }) => {
    const table = (await readFile(join(project, "ARCHITECTURE.md"), "utf8")).split("\n");
    const [words = ""] = table.filter((line) => line.startsWith(`| ${row} |`));
    const named = [...words.matchAll(/`((?:src|scripts)(?:\/[\w./-]+)?)`/gu)].map(([, path = ""]) => path);
    // A test that a row names is not written but run.
    const places = named.filter((path) => !path.endsWith(".test.ts"));
    const written = [...Object.keys(files), ...Object.keys(lines)];
    // "A folder of `src`" is a new one.
    const isIn = (path: string, place: string): boolean =>
      place === "src" ? path in files : path === place || path.startsWith(`${place}/`);
    expect(places.filter((place) => !written.some((path) => isIn(path, place)))).toEqual([]);
    expect(written.filter((path) => !places.some((place) => isIn(path, place)))).toEqual([]);
  },
);

test("the copy with the additions keeps every rule, compiles, and its documents have them", async () => {
  expect(rules).toContain(" 0 problems");
  const files = additions.flatMap((one) => [...Object.keys(one.files), ...Object.keys(one.lines)]);
  const settings = { extends: "./tsconfig.json", include: [], files };
  await writeFile(join(copy, "tsconfig.additions.json"), JSON.stringify(settings));
  await run("node_modules/typescript/bin/tsc", "-p", "tsconfig.additions.json");
  expect(await readFile(join(copy, "docs/tools.md"), "utf8")).toContain("| `weather` |");
  expect(await readFile(join(copy, "docs/dialects.md"), "utf8")).toContain("### at-call");
  expect(await readFile(join(copy, "ARCHITECTURE.md"), "utf8")).toContain("| `telegraph` |");
});

test("the test of the tool and the contract of dialects pass in the copy", async () => {
  const files = ["src/tools/weather.test.ts", "src/dialects/contract.test.ts"];
  const which = ["--project", "fast", ...files, "-t", "the weather is sunny|at-call"];
  const told = join(root, "report.json");
  await run("node_modules/vitest/vitest.mjs", "run", ...which, "--reporter", "json", "--outputFile", told);
  const report: { numPassedTests: number } = JSON.parse(await readFile(told, "utf8"));
  expect(report.numPassedTests).toBeGreaterThan(5);
});

test("a model uses the added tool", async () => {
  const script = scriptedModel([[{ call: "weather", with: { city: "Rome" } }], [{ say: "Sunny." }]]);
  await using server = await served(script);
  expect(await toolwright("--model", server.url, "-p", "Weather?")).toBe("Sunny.\n");
  expect(JSON.stringify(script.prompts[1]?.messages)).toContain("It is always sunny in Rome.");
});

test("a model without tools is taught the added dialect and uses it", async () => {
  const script = scriptedModel([
    [{ say: '<@call>{"name": "weather", "arguments": {"city": "Oslo"}}</@call>' }],
    [{ say: "Sunny." }],
  ]);
  await using server = await served(script, ["completion"]);
  const args = ["--model", server.url, "--dialect", "at-call", "-p", "Weather?"];
  expect(await toolwright(...args)).toBe("Sunny.\n");
  expect(script.prompts[0]?.system).toContain('<@call>{"name": "tool_name"');
  expect(JSON.stringify(script.prompts[1]?.messages)).toContain("It is always sunny in Oslo.");
});

test("a request to the provider has its peculiarity", async () => {
  await using server = await served(scriptedModel([[{ say: "Hello." }]]));
  const folder = join(root, "home", ".config", "toolwright");
  await mkdir(folder, { recursive: true });
  const settings = { providers: { groq: { baseUrl: `${server.url}/v1` } } };
  await writeFile(join(folder, "config.json"), JSON.stringify(settings));
  expect(await toolwright("--model", "groq/any", "-p", "Hello?")).toBe("Hello.\n");
  expect(server.requests.at(-1)?.body).toMatchObject({ service_tier: "flex" });
});

test("the added surface is a command, and has its line in the help", async () => {
  await using server = await served(scriptedModel([[{ say: "Hello." }]]));
  expect(await toolwright("telegraph", "--model", server.url, "Hello?")).toBe("HELLO. STOP\n");
  expect(await toolwright("--help")).toContain("telegraph");
});

async function served(model: ReturnType<typeof scriptedModel>, capabilities = ["completion", "tools"]) {
  const server = await serveModel(model, { capabilities });
  return { ...server, [Symbol.asyncDispose]: () => server.close() };
}
