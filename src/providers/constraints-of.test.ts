import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Json } from "../base/json.ts";
import { hermes } from "../dialects/hermes.ts";
import { serverOf } from "./discover.ts";
import { openModel, prepareModel, type OpenOptions } from "./open-model.ts";
import { providersWith } from "./settings.ts";

/** A server of the user's own whose list of models is `list`; the ways of asking it, and which pages it was asked for. */
async function own(list: Json | undefined, settings: object = {}) {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    asked.push(incoming.url ?? "");
    if (list === undefined) outgoing.writeHead(404).end();
    else outgoing.setHeader("content-type", "application/json").end(JSON.stringify(list));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const [provider] = providersWith({ box: { baseUrl: url, ...settings } });
  if (!provider) throw new Error("There is no provider.");
  const choice = { provider, server: serverOf(provider, {}), model: "m", because: "the test" };
  const ways = async (options: OpenOptions) =>
    (await prepareModel(choice, options)).usual.ways.map(({ name }) => name);
  return { asked, ways, choice };
}

const of = (owner: string): Json => ({ data: [{ id: "m", owned_by: owner }] });

test("a server of one's own is asked what it is where a dialect is taught, and only there", async () => {
  const { asked, ways } = await own(of("llamacpp"));
  expect(await ways({})).toEqual(["native", "hermes", "json-fence"]);
  expect(await ways({ dialect: "native" })).toEqual(["native"]);
  expect(await ways({ dialect: hermes, constraint: "off" })).toEqual(["hermes"]);
  expect(asked).toEqual([]);
  expect(await ways({ dialect: hermes })).toEqual(["hermes+tags", "hermes"]);
  expect(await ways({ measures: true })).toEqual([
    "native",
    "hermes+tags",
    "json-answer+schema",
    "hermes",
    "json-fence",
  ]);
  expect(asked).toEqual(["/v1/models", "/v1/models"]);
});

test.each([of("vllm"), of("sglang")])("%j takes structural tags", async (list) => {
  const { ways } = await own(list);
  expect(await ways({ dialect: hermes })).toEqual(["hermes+tags", "hermes"]);
});

test.each([of("somebody"), of("__proto__"), {}, { data: [3, null] }, [], undefined])(
  "a server that tells %j holds to nothing",
  async (list) => {
    const { ways } = await own(list);
    expect(await ways({ dialect: hermes })).toEqual(["hermes"]);
  },
);

test("what the settings say is not asked for, an empty list means nothing", async () => {
  const told = await own(of("vllm"), { constraints: [] });
  expect(await told.ways({ dialect: hermes })).toEqual(["hermes"]);
  const other = await own(undefined, { constraints: ["strict", "schema"] });
  expect(await other.ways({ constraint: "on" })).toEqual([
    "native+strict",
    "native",
    "hermes",
    "json-answer+schema",
    "json-fence",
  ]);
  expect([...told.asked, ...other.asked]).toEqual([]);
});

test("the notice of a model that its server holds to a dialect says so", async () => {
  const { choice } = await own(of("llamacpp"));
  const model = await openModel(choice, { dialect: hermes });
  expect(model.notice).toBe(
    "--dialect says so: it is taught to write its calls as text (hermes+tags), and its server holds it to that form.",
  );
});
