/** What one opening of a model learnt of its server, the next one knows: refused constraints, answers of templates. */

import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { collect } from "../base/async.ts";
import type { CallCounts, DialectRecord } from "../protocol/dialect-record.ts";
import type { ConstraintChoice } from "./capabilities.ts";
import { catalog } from "./catalog.ts";
import { serverOf, type ModelChoice } from "./discover.ts";
import { openModel, prepareModel, type Memory } from "./open-model.ts";

/** A llama-server; `props` is what it tells of itself at that moment, undefined while it loads its model. */
async function llamaServer(props: () => object | undefined) {
  const asked: string[] = [];
  const server = createServer((request, reply) => {
    let body = "";
    request.on("data", (text) => (body += String(text)));
    request.on("end", () => {
      asked.push(request.url ?? "");
      const told = props();
      reply.setHeader("content-type", "application/json");
      if (told === undefined)
        reply.writeHead(503).end(JSON.stringify({ error: { code: 503, message: "Loading model" } }));
      else if (request.url === "/props") reply.end(JSON.stringify(told));
      else if (body.includes('"grammar"'))
        reply.writeHead(400).end(JSON.stringify({ error: { message: "grammars are not supported" } }));
      else reply.end(JSON.stringify({ choices: [{ message: { role: "assistant", content: "Hi." } }] }));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const provider = catalog.find(({ name }) => name === "llamacpp");
  if (!provider) throw new Error("There is no llama-server.");
  const choice: ModelChoice = {
    provider,
    server: serverOf(provider, {}, `http://127.0.0.1:${port}/v1`),
    model: "m",
    because: "the test names it",
  };
  return { choice, asked };
}

/** `noted` resolves once something new is remembered. */
function memory() {
  const records = new Map<string, DialectRecord & { template: string }>();
  let told = (): void => undefined;
  const noted = new Promise<void>((resolve) => (told = resolve));
  const all: Memory = {
    recall: async ({ template }) => [...records.values()].filter((one) => one.template === template),
    counted({ template }, dialect, counts: CallCounts) {
      records.set(`${template} ${dialect}`, { template, dialect, counts });
      told();
    },
  };
  return { all, noted, records };
}

const noTools = { supports_tools: false };
const tools = [{ name: "look", description: "", schema: { type: "object", properties: {} } }];
const words = [{ role: "user" as const, content: [{ type: "text" as const, text: "Go." }] }];

test("a refused constraint is remembered for that template and that version of the server, unless it is demanded", async () => {
  let props = { chat_template: "plain", chat_template_caps: noTools, build_info: "b1" };
  const { choice, asked } = await llamaServer(() => props);
  const { all, noted } = memory();
  const model = await openModel(choice, { retry: { forMs: 0 } }, all);
  await collect(model.ask({ system: "", messages: words, tools }, new AbortController().signal));
  await noted;
  const waysNow = async (constraint?: ConstraintChoice) =>
    (await prepareModel(choice, { constraint }, all)).usual.ways.map(({ name }) => name);
  expect(await waysNow()).toEqual(["hermes", "json-answer+schema", "json-fence"]);
  expect(await waysNow("on")).toContain("hermes+tags");
  props = { ...props, build_info: "b2" };
  expect(await waysNow()).toContain("hermes+tags");
  props = { ...props, build_info: "b1", chat_template: "another" };
  asked.length = 0;
  expect(await waysNow()).toContain("hermes+tags");
  expect(asked.filter((path) => path === "/props")).toHaveLength(1);
});

test("a server that is loading its model is waited for when it is opened, which is told once", async () => {
  let left = 3;
  const { choice, asked } = await llamaServer(() => {
    left -= 1;
    return left >= 0 ? undefined : { chat_template_caps: noTools };
  });
  const told: string[] = [];
  const { usual } = await prepareModel(choice, { told: (text) => told.push(text) });
  expect(usual.ways[0]?.name).toBe("hermes+tags");
  expect(told).toEqual(["llamacpp is still loading its model: it is waited for."]);
  expect(asked.filter((path) => path === "/props")).toHaveLength(4);
});

const template = `{% for m in messages %}<s>{{ m.content }}{% for c in m.tool_calls or [] %}{{ "[TOOL_" }}{{ "CALLS]" }}{{ c.function.name }}{{ "[AR" }}{{ "GS]" }}{{ c.function.arguments | tojson }}{% endfor %}<e>\n{% endfor %}`;

test("a template is rendered only where there are no native calls, and its answer is kept", async () => {
  let props: object = { chat_template: template };
  const { choice } = await llamaServer(() => props);
  const { all, records } = memory();
  const open = async () => (await prepareModel(choice, { constraint: "off" }, all)).usual;
  expect((await open()).ways.map(({ name }) => name)).toEqual(["native", "hermes", "json-fence"]);
  expect(records.size).toBe(0);
  props = { ...props, chat_template_caps: noTools };
  expect((await open()).because).toMatch(/its chat template, rendered, writes/u);
  expect([...records.values()].map(({ dialect }) => dialect)).toEqual([
    expect.stringMatching(/^template, of \d+ forms: mistral$/u),
  ]);
  const again = await open();
  expect(again.ways[0]?.name).toBe("mistral");
  expect(again.because).toMatch(/rendered before/u);
});

test("a template is rendered for a native model whose calls failed in earlier sessions", async () => {
  const { choice } = await llamaServer(() => ({ chat_template: template }));
  const { all } = memory();
  const { key } = await prepareModel(choice);
  all.counted(key, "native", { calls: 0, repairs: 0, refusals: 2 });
  const { usual } = await prepareModel(choice, { constraint: "off" }, all);
  expect(usual.ways.map(({ name }) => name)).toEqual(["native", "mistral", "hermes", "json-fence"]);
});
