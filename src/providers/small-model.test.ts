import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import type { SmallChoice } from "./capabilities.ts";
import { catalog } from "./catalog.ts";
import { serverOf } from "./discover.ts";
import { openModel } from "./open-model.ts";

/** A server of one model, which tells `weights` as its kind does. */
async function opened(name: "llamacpp" | "ollama", weights: number | undefined, small?: SmallChoice) {
  const server = createServer((request, reply) => {
    const told =
      request.url === "/v1/models"
        ? { data: [{ id: "m", meta: { n_params: weights } }] }
        : { capabilities: ["tools"], model_info: { "general.parameter_count": weights } };
    reply.end(JSON.stringify(told));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const provider = catalog.find((one) => one.name === name);
  if (!provider) throw new Error(`There is no provider ${name}.`);
  const url = `http://127.0.0.1:${port}${name === "llamacpp" ? "/v1" : ""}`;
  const choice = { provider, server: serverOf(provider, {}, url), model: "m", because: "the test names it" };
  return (await openModel(choice, { small })).suits?.small === true;
}

test.each(["llamacpp", "ollama"] as const)(
  "%s tells how many weights a model has: up to a billion it is small",
  async (name) => {
    expect(await opened(name, 494_032_768)).toBe(true);
    expect(await opened(name, 1_000_000_000)).toBe(true);
    expect(await opened(name, 7_600_000_000)).toBe(false);
    expect(await opened(name, undefined)).toBe(false);
  },
);

test("what a person chose counts for any model", async () => {
  expect(await opened("ollama", 7_600_000_000, "on")).toBe(true);
  expect(await opened("llamacpp", 494_032_768, "off")).toBe(false);
});
