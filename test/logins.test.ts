/** `toolwright login` in several processes at once. */

import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newHome, runCommand } from "./support/command.ts";

const keys = { anthropic: "sk-ant-first-1234567890", openai: "sk-second-1234567890" } as const;

/** Answers nobody before so many have asked: by then each has read which keys are kept. */
async function providerOfAll(count: number): Promise<string> {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, reply) => {
    waiting.push(reply);
    if (waiting.length < count) return;
    for (const each of waiting)
      each.writeHead(200, { "content-type": "application/json" }).end('{"data":[{"id":"tiny"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

test("two logins at once keep both keys", async () => {
  const home = await newHome();
  const url = await providerOfAll(2);
  const env = { ANTHROPIC_BASE_URL: url, OPENAI_BASE_URL: `${url}/v1` };
  const ended = await Promise.all(
    Object.entries(keys).map(([name, key]) => runCommand(home, ["login", name], { input: key, env })),
  );
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  expect(JSON.parse(await readFile(join(home.stateDir, "credentials.json"), "utf8"))).toEqual({ keys });
});
