/** Toolwright inside a web server: each request is one turn, streamed fact by fact to a model given by URL. */

import { deepEqual, equal } from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { openRuntime } from "toolwright";
import { scriptedModel, serveModel, temporaryWorkspace } from "toolwright/testing";

const model = await serveModel(
  scriptedModel([
    [{ call: "edit_file", with: { path: "price.txt", old: "10", new: "12" } }],
    [{ say: "The price is 12 now." }],
  ]),
);
const workspace = await temporaryWorkspace({ "price.txt": "10\n" });
const state = await temporaryWorkspace({});
// No person can approve anything here, so the mode decides: files may be changed, commands may not run.
const runtime = await openRuntime({
  model: model.url,
  mode: "accept-edits",
  workspace: workspace.root,
  stateDir: state.root,
  env: { HOME: state.root },
});

const server = createServer((request, response) => {
  work(request, response).catch((error: Error) => response.destroy(error));
}).listen(0, "127.0.0.1");
await once(server, "listening");

try {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const reply = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "Raise the price to 12." });
  const facts = (await reply.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

  equal(await workspace.read("price.txt"), "12\n");
  const { stopped, changed, text: words } = facts.at(-1);
  deepEqual(
    { stopped, changed, words },
    { stopped: "done", changed: ["price.txt"], words: "The price is 12 now." },
  );
  console.log(`The server told ${facts.length} facts, the last: ${words}`);
} finally {
  server.close();
  await runtime.close();
  await Promise.all([model.close(), workspace.remove(), state.remove()]);
}

/** Streams each fact as one JSON line as it happens. A client that disconnects stops the turn. */
async function work(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const prompt = await text(request);
  const session = await runtime.open({});
  if (!session.ok) return void response.writeHead(500).end(session.problem);
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  gone.signal.addEventListener("abort", () => void session.value.command({ type: "interrupt" }));
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  await session.value.command({ type: "send", content: [{ type: "text", text: prompt }] });
  for await (const event of session.value.follow(0, gone.signal)) {
    if ("seq" in event) response.write(`${JSON.stringify(event)}\n`);
    if (event.type === "turn-end") break;
  }
  await session.value.close();
  response.end();
}
