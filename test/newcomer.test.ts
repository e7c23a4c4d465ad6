/** The first minutes of somebody new, in a real pseudo-terminal: one command, the demo, a key, an edit, undone. */

import { existsSync, readFileSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { expect, onTestFailed, onTestFinished, test } from "vitest";
import { openPty } from "../src/base/terminal/pty.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { serveModel } from "../src/testing/scripted-server.ts";
import { commandFile, type Home, newHome } from "./support/command.ts";

const key = "sk-ant-api03-newcomer-1234567890";

/** A provider in front of a scripted model, which takes this one key. */
async function provider(): Promise<string> {
  const model = scriptedModel([
    [{ call: "write_file", with: { path: "hello.txt", content: "hello\n" } }],
    [{ say: "The file is written." }],
  ]);
  const served = await serveModel(model);
  const server = createServer((request, reply) => {
    if (request.headers["x-api-key"] !== key) {
      reply.writeHead(401, { "content-type": "application/json" });
      reply.end('{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}');
      return;
    }
    const { method = "GET", headers, url = "/" } = request;
    const onward = ask(served.url + url, { method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(reply);
    });
    onward.once("error", () => reply.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await served.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

/** The command on a terminal of its own; `until` waits for words that come after those of the last call. */
async function startAt(home: Home, env: Record<string, string>) {
  let shown = "";
  let from = 0;
  let check = (): void => undefined;
  const decoder = new TextDecoder();
  const ended = Promise.withResolvers<number | undefined>();
  const opened = await openPty({
    command: [process.execPath, commandFile],
    cwd: home.workspace,
    env: { ...home.env, TERM: "xterm-256color", ...env },
    columns: 100,
    rows: 30,
    onOutput: (bytes) => {
      shown += decoder.decode(bytes, { stream: true });
      check();
    },
    onEnd: ({ exit }) => ended.resolve(exit),
  });
  if (!opened.ok) throw new Error(opened.problem);
  const pty = opened.value;
  onTestFinished(() => {
    try {
      process.kill(pty.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  });
  const screen = (): string => stripVTControlCharacters(shown).replaceAll("\r", "");
  onTestFailed(() => console.error(`What it showed last:\n${screen().slice(from)}`));
  const until = (words: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const text = screen();
        const found = words.exec(text.slice(from));
        if (!found) return;
        from += found.index + found[0].length;
        check = () => undefined;
        resolve();
      };
      check = look;
      look();
      void ended.promise.then(() => reject(new Error(`It ended before ${words}:\n${screen().slice(from)}`)));
    });
  return { until, type: (text: string) => pty.write(text), screen, ended: ended.promise };
}

test("one command, the demo undone, a key refused, a key taken, the first edit approved and undone", async () => {
  const home = await newHome({ "notes.txt": "some notes\n" });
  const written = join(home.workspace, "hello.txt");
  const { until, type, screen, ended } = await startAt(home, { ANTHROPIC_BASE_URL: await provider() });
  await until(/No model can be used/u);
  await until(/Enter for 1; q leaves: $/u);
  type("2\r");
  await until(/Edit total\.js[^]*?y\u00A0once/u);
  await pause(350); // a key that comes sooner is no answer
  type("y");
  await until(/Undo the change[^\n]*\? /u);
  type("/undo\r");
  await until(/Undone: total\.js is as it was/u);
  await until(/Enter for 1; q leaves: $/u);
  type("1\r");
  await until(/Paste a provider's key[^\n]*: $/u);
  type("sk-ant-api03-wrong-0987654321\r");
  await until(/Anthropic refuses this key/u);
  await until(/Paste a provider's key[^\n]*: $/u);
  type(`${key}\r`);
  await until(/It works, and is kept for you alone/u);
  await until(/anthropic is used from now on/u);
  await until(/To begin with, try: Explain this project/u);
  await until(/\? keys/u);
  type("Write a file that says hello.\r");
  await until(/hello\.txt[^]*?y\u00A0once/u);
  expect(existsSync(written)).toBe(false);
  await pause(350); // a key that comes sooner is no answer
  type("y");
  await until(/The file is written\./u);
  await expect.poll(() => existsSync(written)).toBe(true);
  await until(/\? keys/u);
  type("/undo\r");
  await expect.poll(() => existsSync(written)).toBe(false);
  await until(/Undone \(request 1\)/u);
  type("\u0004");
  expect(await ended).toBe(0);
  expect(screen()).not.toContain("newcomer-1234567890");
  const settings = readFileSync(join(home.root, "config", "toolwright", "config.jsonc"), "utf8");
  expect(JSON.parse(settings)).toEqual({ model: "anthropic" });
});
