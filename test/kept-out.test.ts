/** G4: the keys that Toolwright itself uses never stand in a session, a log, a stream or an export. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keptOutMark } from "../src/base/keep-out.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { serveModel } from "../src/testing/scripted-server.ts";
import { allBytesBelow, newHome, put, runCommand } from "./support/command.ts";

const made = (name: string): string => `${name}-a1B2"c3D4/e5F6+${name}`;
const keys = {
  key: made("provider"),
  header: made("header"),
  variable: made("variable"),
  named: made("named"),
  server: made("server"),
  argument: made("argument"),
  usual: made("usual"),
};
const secrets = Object.values(keys);
/** Every form of each: 7 keys in 6 forms. */
const forms = secrets.flatMap((key) => [
  key,
  JSON.stringify(key).slice(1, -1),
  encodeURIComponent(key),
  ...[0, 1, 2].map((before) => Buffer.from(`${"x".repeat(before)}${key}`).toString("base64")),
]);
/** What no part of a form may leave behind: the middle of each. */
const traces = forms.map((form) => form.slice(6, -6));

test("42 planted forms of keys are found in no file, stream or export, and the file that a tool wrote is whole", async () => {
  const content = `KEY=${keys.key}\n${keys.header}\n`;
  const model = scriptedModel(
    [
      [
        { think: `Thinking of ${secrets.join(" ")}.` },
        { say: `You said ${secrets.join(", ")}; encoded: ${forms.join(" ")}.` },
        { call: "write_file", with: { path: "made.txt", content } },
        { call: "run_command", with: { command: `cat planted.txt; printf %s '${keys.usual}'` } },
        { call: "read_file", with: { path: "planted.txt" } },
      ],
      [{ say: `Done with ${forms.join(" ")}` }],
    ],
    { pieces: 3 },
  );
  const served = await serveModel(model);
  onTestFinished(() => served.close());
  const home = await newHome({ "planted.txt": `${forms.join("\n")}\n${"x\n".repeat(5_000)}` });
  const config = {
    providers: {
      mine: {
        baseUrl: `${served.url}/v1`,
        key: keys.key,
        models: ["model"],
        headers: {
          authorization: `Bearer ${keys.header}`,
          "x-a": "${LLMACCESS}",
          accept: "application/json",
        },
      },
      other: { baseUrl: served.url, keyVariable: "OTHER_ONE" },
    },
    mcpServers: {
      one: {
        command: "nothing-there",
        env: { THE_TOKEN: keys.server },
        args: ["--api-token", keys.argument],
      },
    },
  };
  await put(join(home.root, "config/toolwright"), { "config.json": JSON.stringify(config) });
  const env = { LLMACCESS: keys.variable, OTHER_ONE: keys.named, OPENAI_API_KEY: keys.usual };
  const args = ["--model", "mine/model", "--mode", "auto", "--log", join(home.root, "log.jsonl")];
  const prompt = `My keys: ${forms.join(" ")} as application/json`;
  const ran = await runCommand(home, [...args, "--output", "stream-json", "-p", prompt], { env });
  expect(ran.code, ran.stderr).toBe(0);
  const session = /"session":"([^"]+)"/u.exec(ran.stdout)?.[1] ?? "";
  const exports = await Promise.all(
    ["markdown", "json", "bundle"].map((format) =>
      runCommand(home, ["sessions", "export", session, "--format", format], { env }),
    ),
  );
  expect(exports.map(({ code }) => code)).toEqual([0, 0, 0]);
  const renamed = await runCommand(home, ["sessions", "rename", session, `About ${forms[1]}`], { env });
  expect(renamed).toMatchObject({ code: 0, stdout: `${session} is called "About ${keptOutMark}" now.\n` });
  const written = await allBytesBelow(join(home.root, "state"));
  const looked = [
    ...written,
    { path: "log", text: await readFile(join(home.root, "log.jsonl"), "utf8") },
    { path: "stream-json", text: ran.stdout },
    { path: "stderr", text: ran.stderr },
    ...exports.map(({ stdout }, at) => ({ path: `export ${at}`, text: stdout })),
  ];
  // For undo the database keeps the exact bytes of files that changed, and nothing else with a key.
  const found = looked.flatMap(({ path, text }) =>
    traces
      .filter((trace) => text.replaceAll(content, "").includes(trace))
      .map((trace) => `${trace} in ${path}`),
  );
  expect(found).toEqual([]);
  expect(ran.stdout).toContain(keptOutMark);
  expect(ran.stdout).toContain("application/json");
  expect(await readFile(join(home.workspace, "made.txt"), "utf8")).toBe(content);
  expect(JSON.stringify(model.prompts)).not.toContain(keys.named);
});

test("a call that repeats the mark is refused: a key is never replaced by it in a file", async () => {
  const served = await serveModel(
    scriptedModel([
      [{ call: "write_file", with: { path: ".config.ini", content: `key=${keptOutMark}\n` } }],
      [{ say: "Understood." }],
    ]),
  );
  onTestFinished(() => served.close());
  const home = await newHome({ ".config.ini": `key=${keys.key}\n` });
  const own = { mine: { baseUrl: `${served.url}/v1`, key: keys.key, models: ["model"] } };
  await put(join(home.root, "config/toolwright"), { "config.json": JSON.stringify({ providers: own }) });
  const args = ["--model", "mine/model", "--mode", "auto", "--output", "stream-json"];
  const ran = await runCommand(home, [...args, "-p", "Write"]);
  expect(ran.stdout).toContain("Nothing was done");
  expect(await readFile(join(home.workspace, ".config.ini"), "utf8")).toBe(`key=${keys.key}\n`);
});
