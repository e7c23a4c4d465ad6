import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { withAdvice } from "../../src/protocol/advice.ts";
import type { Entry } from "../../src/protocol/facts.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import type { ServerFault } from "../../src/testing/scripted-server.ts";
import { allBytesBelow, newHome, runCommand, type Ended, type Home } from "../support/command.ts";
import { lead, ollamaRoad, roads, serve } from "../support/roads.ts";
import { lastEnd, wholeSession } from "../support/whole-log.ts";

const everyRoad = roads.map((road) => [road.name, road] as const);
const json = (status: number, body: unknown, headers: Record<string, string> = {}): ServerFault => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

/** In parallel, because these runs mostly wait. */
async function together<T>(cases: readonly T[], run: (each: T) => Promise<void>): Promise<void> {
  await Promise.all(cases.map(run));
}

/** A failed request gives one line on standard error, no such text on standard output, and a log that says the same. */
async function expectFailed(home: Home, ended: Ended, words: RegExp): Promise<Entry[]> {
  expect(ended.code, ended.stderr).toBe(1);
  const lines = ended.stderr.split("\n").filter((line) => /^(?:Failed|The request failed)/u.test(line));
  expect(lines, ended.stderr).toEqual([expect.stringMatching(words)]);
  expect(ended.stderr).not.toMatch(/^\s+at /mu); // no stack
  expect(ended.stdout).not.toMatch(words); // the error is not printed as an answer
  const entries = await wholeSession(home.stateDir);
  const end = lastEnd(entries);
  expect(end).toMatchObject({ stopped: "failed", text: expect.stringMatching(/\S/u) });
  expect(withAdvice(end.because ?? "", end.advice)).toMatch(words);
  return entries;
}

test.each(everyRoad)("an unknown model is reported over %s, with what to do next", async (_, road) => {
  const home = await newHome();
  const server = await serve(scriptedModel([]), { faults: [json(404, road.unknownModel)] });
  const ended = await runCommand(home, [...lead(home, road, server.url), "-p", "Hello"]);
  await expectFailed(home, ended, /(?:-x|:1b)\b.*(?:--model|toolwright models|model's name|ollama pull)/u);
});

test("a model that Ollama has not pulled is reported before the run starts", async () => {
  const home = await newHome();
  const ollama = createServer((_, response) => {
    response.writeHead(404, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: "model 'qwen:1b' not found" }));
  });
  onTestFinished(() => void ollama.close());
  await once(ollama.listen(0, "127.0.0.1"), "listening");
  const { port } = ollama.address() as AddressInfo;
  const args = [...lead(home, ollamaRoad, `http://127.0.0.1:${port}`), "-p", "Hello"];
  const { code, stdout, stderr } = await runCommand(home, args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^toolwright: .*qwen:1b.*ollama pull qwen:1b[^\n]*\n$/u);
});

test.each(everyRoad)(
  "a key refused by %s is reported by the name of its variable, and never written anywhere",
  async (_, road) => {
    const key = "sk-canary-0123456789abcdef";
    await together(["text", "stream-json"], async (output) => {
      const home = await newHome();
      const server = await serve(scriptedModel([]), { faults: [json(401, road.refusedKey(key))] });
      const args = [...lead(home, road, server.url, key), "--verbose", "--output", output, "-p", "Hello"];
      const ended = await runCommand(home, args);
      expect(JSON.stringify(server.requests.map(({ headers }) => headers))).toContain(key); // it was sent
      expect(ended.code).toBe(1);
      expect(ended.stdout + ended.stderr).toContain(road.keyName);
      expect(ended.stdout + ended.stderr).not.toContain(key);
      expect(lastEnd(await wholeSession(home.stateDir)).advice).toContain(road.keyName);
      const leaks = (await allBytesBelow(home.root)).filter(({ text }) => text.includes(key));
      expect(leaks.map(({ path }) => path)).toEqual([]);
    });
  },
);

const cutAfter = [0, 1, 60, 300, 900].map((cutAfterBytes) => ({ cutAfterBytes }));

test.each(everyRoad)("a request to %s is retried when the stream is cut anywhere", async (_, road) => {
  const words = "A long answer, said in many words. ".repeat(40);
  await together(cutAfter, async (fault) => {
    const home = await newHome();
    const model = scriptedModel(() => [{ say: words }], { pieces: 20 });
    const server = await serve(model, { faults: [fault] });
    const ended = await runCommand(home, [...lead(home, road, server.url), "-p", "Hello"]);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toContain(words.trim());
    expect(lastEnd(await wholeSession(home.stateDir))).toMatchObject({ stopped: "done", text: words });
    expect(model.prompts).toHaveLength(2);
  });
});

test("an answer whose stream is damaged in the middle is asked for again", async () => {
  const home = await newHome();
  const model = scriptedModel([[{ say: "All is well." }]]);
  const damaged: ServerFault = {
    status: 200,
    headers: { "content-type": "application/x-ndjson" },
    body: '{"message":{"content":"All is"},"done":false}\n{"broken\n{"done":true}\n',
  };
  const server = await serve(model, { faults: [damaged] });
  const ended = await runCommand(home, [...lead(home, ollamaRoad, server.url), "-p", "Hello"]);
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 0, stdout: "All is well.\n" });
  await wholeSession(home.stateDir);
});

test("a call in an answer that is cut off later gets one result, and the turn goes on", async () => {
  await together(roads, async (road) => {
    const home = await newHome({ "a.txt": "alpha\n" });
    const model = scriptedModel(
      (_, round) =>
        round === 1
          ? [{ call: "read_file", with: { path: "a.txt" } }, { say: "word ".repeat(2000) }]
          : [{ say: "It says alpha." }],
      { pieces: 100 },
    );
    const server = await serve(model, { faults: [{ cutAfterBytes: 4000 }] });
    const ended = await runCommand(home, [...lead(home, road, server.url), "-p", "What does it say?"]);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toContain("It says alpha.");
    expect(model.prompts).toHaveLength(2);
    const entries = await wholeSession(home.stateDir);
    // The call may have started before the break; if it had not, it never starts.
    const results = entries.flatMap((entry) => (entry.type === "result" ? [entry.outcome] : []));
    expect(results).toEqual([expect.stringMatching(/^(?:ok|cancelled)$/u)]);
  });
});

test("a server that cuts off every answer fails the request without retries, and the received text is kept", async () => {
  const home = await newHome();
  const faults = Array.from({ length: 12 }, () => ({ cutAfterBytes: 700 }));
  const server = await serve(
    scriptedModel(() => [{ say: "Heard so far. ".repeat(100) }], { pieces: 14 }),
    { faults },
  );
  const given = [...lead(home, ollamaRoad, server.url), "-p", "Hello", "--retry-for", "0"];
  const ended = await runCommand(home, given);
  const entries = await expectFailed(home, ended, /Try again|broke|connection/iu);
  expect(ended.stdout).toContain("Heard so far.");
  expect(entries.filter(({ type }) => type === "answer-end")).toHaveLength(1);
});

test.each(everyRoad)("an invalid response over %s is reported as a failure", async (_, road) => {
  const bodies: ServerFault[] = [
    {
      status: 200,
      headers: { "content-type": "text/event-stream" },
      body: 'data: {"oops":\n\ndata: [1,\n\n',
    },
    { status: 200, headers: { "content-type": "application/x-ndjson" }, body: '{"message":\n{"mess\n' },
    { status: 200, headers: { "content-type": "application/json" }, body: '{"half": ' },
    { status: 200, headers: { "content-type": "application/json" }, body: "null" },
    { status: 200, headers: { "content-type": "application/json" }, body: "" },
    { status: 500, headers: { "content-type": "text/plain" }, body: "\u0000\u001b[2Jout of order" },
  ];
  await together(bodies, async (body) => {
    const home = await newHome();
    const server = await serve(scriptedModel([]), { faults: Array.from({ length: 9 }, () => body) });
    const given = [...lead(home, road, server.url), "-p", "Hello", "--retry-for", "1s"];
    const ended = await runCommand(home, given);
    await expectFailed(home, ended, /.{15,}/u);
    expect(ended.stdout + ended.stderr).not.toContain("\u001b");
  });
});

test("a web page in place of a model is reported with its title and the setting to check", async () => {
  await together(roads, async (road) => {
    const home = await newHome();
    const page = "<html><head><title>Sign in to Hotel WLAN</title></head><body>…</body></html>";
    const server = await serve(scriptedModel([]), {
      faults: [{ status: 200, headers: { "content-type": "text/html" }, body: page }],
    });
    const ended = await runCommand(home, [...lead(home, road, server.url), "-p", "Hello"]);
    await expectFailed(home, ended, /web page \(“Sign in to Hotel WLAN”\).*base URL/u);
  });
});

test("a dropped connection is retried, and a server that always drops it fails the request", async () => {
  await together(roads, async (road) => {
    const home = await newHome();
    const once = await serve(scriptedModel([[{ say: "There I am." }]]), { faults: ["hang-up"] });
    const ended = await runCommand(home, [...lead(home, road, once.url), "-p", "Hello"]);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 0, stdout: "There I am.\n" });
    await wholeSession(home.stateDir);
  });
  await together(roads, async (road) => {
    const home = await newHome();
    const always = await serve(scriptedModel([]), {
      faults: Array.from({ length: 9 }, () => "hang-up" as const),
    });
    const given = [...lead(home, road, always.url), "-p", "Hello", "--retry-for", "1s"];
    await expectFailed(home, await runCommand(home, given), /broke off.*It was asked/u);
  });
});

test.each(everyRoad)("a rate limit of %s is waited out and reported", async (_, road) => {
  const home = await newHome();
  const limit = json(429, { error: { message: "Slow down.", type: "rate_limit" } }, { "retry-after": "1" });
  const server = await serve(scriptedModel([[{ say: "Now." }]]), { faults: [limit] });
  const ended = await runCommand(home, [...lead(home, road, server.url), "-p", "Hello"]);
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 0, stdout: "Now.\n" });
  expect(ended.stderr).toMatch(/^… .*Slow down.*Asking again in 1 s \(attempt 1\)\.$/mu);
  await wholeSession(home.stateDir);
});

test("a rate limit of hours fails the request instead of waiting", async () => {
  const home = await newHome();
  const limit = json(429, { error: { message: "Slow down." } }, { "retry-after": "7200" });
  const server = await serve(scriptedModel([]), { faults: [limit] });
  const ended = await runCommand(home, [...lead(home, ollamaRoad, server.url), "-p", "Hello"]);
  await expectFailed(home, ended, /7200 s; try again then, or choose another model/u);
});

test("a refused connection is reported with how to start the server", async () => {
  const said: Record<string, string> = {};
  await together(roads, async (road) => {
    const home = await newHome();
    const ended = await runCommand(home, [...lead(home, road, "http://127.0.0.1:1"), "-p", "Hello"]);
    expect(ended.code).toBe(1);
    said[road.name] = ended.stderr.split("\n")[0] ?? "";
  });
  const nothing = "Nothing answers at http://127.0.0.1:1 (connection refused).";
  const another = "or choose another model.";
  const hosted = `The request failed: ${nothing} Check the network and the base URL, ${another}`;
  expect(said).toEqual({
    "Anthropic Messages": hosted,
    "OpenAI Responses": hosted,
    "OpenAI Chat Completions": `The request failed: ${nothing} Start that server, ${another}`,
    Gemini: hosted,
    Cohere: hosted,
    Ollama: `toolwright: ${nothing} Start Ollama with \`ollama serve\`, ${another}`,
  });
});
