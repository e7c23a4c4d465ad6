/** Prompts of servers, as people call them. */

import { expect, onTestFinished, test } from "vitest";
import { promptsOf, renderedPrompt } from "./prompts.ts";
import { startServers, testServer, wordsOf } from "./testing/servers.ts";

const { signal } = new AbortController();

async function start() {
  const started = await startServers({ "my s": testServer("good") });
  onTestFinished(() => started.close());
  const servers = started.manager.servers();
  const say = async (words: string) => {
    const rendered = await renderedPrompt(servers, { command: "my_s:greet", words, signal });
    if (!rendered.ok) return rendered.problem;
    return rendered.value.map((part) => (part.type === "text" ? part.text : part.mediaType)).join("\n");
  };
  return { servers, say };
}

test("prompts are called by server and prompt name, in characters that can be typed", async () => {
  const { servers } = await start();
  expect(promptsOf(servers)).toEqual([
    {
      server: "my s",
      name: "greet",
      command: "my_s:greet",
      description: "Greets.",
      arguments: [
        { name: "who", description: "", isRequired: true },
        { name: "how", description: "", isRequired: false },
      ],
    },
  ]);
});

test("the words after a prompt's name become its arguments, in order or by name", async () => {
  const { say } = await start();
  expect(await say("Ada")).toBe('Greet {"who":"Ada"}');
  expect(await say('"Ada L" very warmly')).toBe('Greet {"who":"Ada L","how":"very warmly"}');
  expect(await say('how="in a hurry" Ada')).toBe('Greet {"how":"in a hurry","who":"Ada"}');
  expect(await say("")).toBe("It is called as /my_s:greet WHO [HOW].");
});

test("overlong names and titles from a server are truncated or left out", async () => {
  const started = await startServers({ s: testServer("odd") });
  onTestFinished(() => started.close());
  const servers = started.manager.servers();
  expect(promptsOf(servers).map(({ command }) => command)).toEqual(["s:greet"]);
  expect(servers[0]?.server.offer?.title).toBe(`${"x".repeat(80)} …`);
  expect(wordsOf(await started.call("read_resource", { server: "s" }))).toBe("test://one - one: The first.");
});
