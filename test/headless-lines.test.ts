import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { commandFile, newHome, put, runCommand, startCommand, type Home } from "./support/command.ts";
import { lead, ollamaRoad, serve } from "./support/roads.ts";

const never = new Promise<void>(() => undefined);

async function placeWith(script: Parameters<typeof scriptedModel>[0], files: Record<string, string> = {}) {
  const home = await newHome(files);
  const model = scriptedModel(script);
  const server = await serve(model);
  return { home, model, flags: lead(home, ollamaRoad, server.url) };
}

/** The command with its standard input left open, to be written to. */
function startOpen({ env, workspace }: Home, args: readonly string[]) {
  const child = spawn(process.execPath, [commandFile, ...args], {
    cwd: workspace,
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  const heard = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    for (const check of heard) check();
  });
  const ended = once(child, "close").then(([code]) => ({
    code: Number(code),
    lines: out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  }));
  return {
    ended,
    write: (line: object) => void child.stdin.write(`${JSON.stringify(line)}\n`),
    writeText: (text: string) => void child.stdin.write(text),
    end: () => void child.stdin.end(),
    until: (text: string) =>
      new Promise<void>((resolve) => {
        const check = (): void => {
          if (out.includes(text)) resolve();
        };
        heard.add(check);
        check();
      }),
  };
}

const send = (content: string) => ({ type: "send", content });

test("x=$(toolwright -p …) is the answer and nothing else", async () => {
  const { home, flags } = await placeWith(
    (_, round) =>
      round === 1
        ? [{ say: "First I look." }, { call: "read_file", with: { path: "a.txt" } }]
        : [{ say: "It says\nhello." }],
    { "a.txt": "hello\n", ".toolwright/config.jsonc": '{ "model": "x/y" }' },
  );
  const through = ["sh", "-c", `x=$("$@") && printf '[%s]' "$x"`, "sh"];
  const ended = await runCommand(home, [...flags, "-p", "What does it say?"], { through });
  expect([ended.code, ended.stdout]).toEqual([0, "[It says\nhello.]"]);
  expect(ended.stderr).toContain("First I look.");
});

test("a program drives a session over pipes: requests, an approval with its answer, and the end of the input", async () => {
  const { home, flags } = await placeWith((_, round) =>
    round === 2
      ? [{ call: "write_file", with: { path: "made.txt", content: "x" } }]
      : [{ say: `Answer ${round}.` }],
  );
  const run = startOpen(home, [...flags, "--input", "stream-json", "--partial"]);
  run.write(send("one"));
  await run.until('"type":"request-end"');
  run.write(send("two"));
  await run.until('"type":"approval-asked"');
  run.write({ type: "answer-approval", callId: "call_1", answer: "allow" });
  await run.until('"stopped":"done","because":null,"advice":null,"goOn":null,"text":"Answer 3."');
  run.end();
  const { code, lines } = await run.ended;
  const refused = lines.filter(({ type }) => type === "input-refused");
  expect([code, refused, lines.at(-1)]).toEqual([
    0,
    [],
    expect.objectContaining({ type: "run-end", changed: ["made.txt"], version: 1 }),
  ]);
  expect(lines.some(({ type, version }) => type === "text-delta" && version === 1)).toBe(true);
  expect(await readFile(join(home.workspace, "made.txt"), "utf8")).toBe("x");
});

test("twelve megabytes of messages at once are held back in the pipe, and none is lost or refused", async () => {
  const begun = Promise.withResolvers<void>();
  const { home, flags } = await placeWith((_, round) =>
    round === 1 ? [{ wait: begun.promise }, { say: "One." }] : [{ say: "Next." }],
  );
  const run = startOpen(home, [...flags, "--input", "stream-json"]);
  const padding = " ".repeat(40_000);
  const all = Array.from({ length: 300 }, (_, index) => `message ${index}`);
  for (const text of all) run.writeText(`${JSON.stringify(send(text))}${padding}\n`);
  run.end();
  await run.until('"text":"message 100"');
  begun.resolve();
  const { code, lines } = await run.ended;
  const texts = lines.flatMap(({ type, content }) =>
    type === "user-message" || type === "steer" ? [content[0].text] : [],
  );
  expect([code, lines.filter(({ type }) => type === "input-refused"), texts]).toEqual([0, [], all]);
});

test("--timeout ends a run whose input stays open, in mid-answer or between two requests", async () => {
  const { home, flags } = await placeWith((prompt) =>
    JSON.stringify(prompt.messages).includes("hang")
      ? [{ say: "Once" }, { wait: never }]
      : [{ say: "Done." }],
  );
  const runs = [
    { words: "hang", stopped: "interrupted" },
    { words: "be quick", stopped: "done" },
  ].map(async ({ words, stopped }) => {
    const run = startOpen(home, [...flags, "--input", "stream-json", "--timeout", "6s"]);
    run.write(send(words));
    const { code, lines } = await run.ended;
    expect([code, lines.at(-1)]).toEqual([4, expect.objectContaining({ stopped: "limit", exit: 4 })]);
    expect(lines.filter(({ type }) => type === "request-end")).toMatchObject([{ stopped }]);
  });
  await Promise.all(runs);
});

test("a command answers an approval for a run, and is stopped with it when the time is over", async () => {
  const { home, flags } = await placeWith((_, round) =>
    round % 2 === 1
      ? [{ call: "write_file", with: { path: "made.txt", content: `${round}` } }]
      : [{ say: "Done." }],
  );
  await put(home.root, {
    "yes.sh": `echo '{"answer":"allow"}'`,
    "hang.sh": "echo $$ > pid; sleep 1000",
  });
  const ask = (script: string) => ["--ask-on", `sh ${join(home.root, script)}`];
  const yes = await runCommand(home, [...flags, ...ask("yes.sh"), "-p", "Write."]);
  expect([yes.code, yes.stdout]).toEqual([0, "Done.\n"]);
  const hung = await startCommand(home, [...flags, ...ask("hang.sh"), "--timeout", "4s", "-p", "Write."])
    .ended;
  expect([hung.code, hung.stdout]).toEqual([4, ""]);
  const pid = Number(await readFile(join(home.workspace, "pid"), "utf8"));
  await expect.poll(() => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).toBe("");
});

test("only JSON that fits the schema is printed, after being asked for again, also of a model without tools", async () => {
  const { home, flags } = await placeWith((_, round) => [
    { say: round % 2 === 1 ? "I think it is three." : '```json\n{"count": 3}\n```' },
  ]);
  const schema = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
  await put(home.root, { "schema.json": JSON.stringify(schema) });
  const args = ["--json-schema", join(home.root, "schema.json"), "-o", join(home.root, "answer.json")];
  for (const dialect of ["native", "hermes", "react"]) {
    const ended = await runCommand(home, [...flags, ...args, "--dialect", dialect, "-p", "Count."]);
    expect([dialect, ended.code, ended.stdout]).toEqual([dialect, 0, '{"count": 3}\n']);
    expect(await readFile(join(home.root, "answer.json"), "utf8")).toBe('{"count": 3}\n');
  }
});
