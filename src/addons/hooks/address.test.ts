/** Hooks that are URLs, against real servers that answer well, late, wrongly, without end or only in part (C7). */

import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { hookedSession, hooksRun, type HookedOptions } from "../../testing/hooked-session.ts";
import type { HookSettings } from "./settings.ts";

const script: ScriptedAnswer[] = [[{ call: "list_files", with: { path: "." } }], [{ say: "Done." }]];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}/hook`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

async function run(hook: HookSettings, options: HookedOptions = {}) {
  const opened = await hookedSession(scriptedModel(script), [hook], options);
  onTestFinished(() => opened.close().catch(() => undefined));
  await opened.ask("Go");
  const [ran] = hooksRun(opened.facts());
  const result = opened.facts().find((fact) => fact.type === "result");
  return { hook: `${ran?.outcome}: ${ran?.because ?? ""}`, outcome: result?.outcome, ms: ran?.ms ?? 0 };
}

test("C7: an HTTP hook receives the JSON by POST, with headers from the environment, and may refuse", async () => {
  const heard: { method?: string | undefined; headers: IncomingMessage["headers"]; body: string }[] = [];
  const url = await serve((request, response) => {
    void (async () => {
      heard.push({ method: request.method, headers: request.headers, body: await bodyOf(request) });
      response.end(JSON.stringify({ decision: "block", reason: "closed today" }));
    })();
  });
  const hook: HookSettings = {
    on: "before-call",
    name: "gate",
    url,
    headers: { Authorization: "Bearer ${GATE_TOKEN}" },
  };
  const ran = await run(hook, { environment: { GATE_TOKEN: "t0ken" } });
  expect(ran).toMatchObject({ hook: "vetoed: closed today", outcome: "denied" });
  expect(heard).toHaveLength(1);
  expect(heard[0]?.method).toBe("POST");
  expect(heard[0]?.headers).toMatchObject({
    authorization: "Bearer t0ken",
    "content-type": "application/json",
  });
  expect(JSON.parse(heard[0]?.body ?? "")).toMatchObject({
    event: "before-call",
    call: { tool: "list_files" },
  });
});

test("C7: an empty response allows the call", async () => {
  const url = await serve((_, response) => response.writeHead(204).end());
  expect(await run({ on: "before-call", url })).toMatchObject({ hook: "ok: ", outcome: "ok" });
});

test("an unset variable in a header is reported, and no request is sent", async () => {
  let asked = 0;
  const url = await serve((_, response) => {
    asked += 1;
    response.end();
  });
  const ran = await run({ on: "before-call", url, headers: { "x-token": "${NOT_SET_ANYWHERE}" } });
  expect(ran.hook).toBe("failed: the variable NOT_SET_ANYWHERE of its headers is not set");
  expect(asked).toBe(0);
});

const endless: RequestListener = (_, response) => {
  response.writeHead(200);
  const more = (): void => {
    while (!response.destroyed && response.write("x".repeat(64 * 1024)));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
};

test.each<[string, RequestListener, RegExp]>([
  ["fails", (_, response) => response.writeHead(500).end("oops"), /^failed: it answered with status 500$/u],
  [
    "redirects",
    (_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    /^failed: it answered with a redirect \(302\)/u,
  ],
  ["never answers", () => undefined, /^timeout: it had not answered after 0\.3 s$/u],
  ["never ends its answer", (_, response) => void response.writeHead(200).write("{"), /^timeout: /u],
  [
    "closes in the middle of its answer",
    (_, response) => {
      response.writeHead(200, { "content-length": "1000" }).write('{"decision":');
      setImmediate(() => response.destroy());
    },
    /^failed: /u,
  ],
  ["closes at once", (request) => request.destroy(), /^failed: /u],
  ["answers without an end", endless, /^failed: it answered with more than is read of a hook$/u],
  ["answers with no JSON", (_, response) => response.end('{"decision"'), /^failed: its answer is no JSON/u],
])(
  "C7: an HTTP hook that %s is ignored or counts as a refusal, by its onFailure setting",
  async (_, listener, words) => {
    const url = await serve(listener);
    // Only what is about being late may be late, on however busy a machine.
    const timeout = words.source.startsWith("^timeout") ? 0.3 : 60;
    const passed = await run({ on: "before-call", url, timeout });
    expect(passed.hook).toMatch(words);
    expect(passed.outcome).toBe("ok");
    const blocked = await run({ on: "before-call", url, timeout, onFailure: "block" });
    expect(blocked.outcome).toBe("denied");
  },
);

test("a refused connection is a failure like any other", async () => {
  expect((await run({ on: "before-call", url: "http://127.0.0.1:1/" })).hook).toMatch(
    /^failed: Nothing answers/u,
  );
});
