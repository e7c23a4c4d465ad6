/** The schema for editors agrees with what reads the files. */

import { Validator } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import { configKeys, readConfigFile } from "./config-file.ts";
import { configSchema } from "./config-schema.ts";

const validator = new Validator(configSchema(), "7", false);

test("it has every key of the configuration, each with words on what it is or of what it is made", () => {
  expect(configSchema()["properties"]).toEqual(
    Object.fromEntries(["$schema", ...configKeys].map((key) => [key, expect.any(Object)])),
  );
});

test.each([
  {},
  { $schema: "./configuration.schema.json", model: "a/b", mode: "plan", maxRounds: 7, maxCost: 0.5 },
  { retryFor: "90s" },
  { retryFor: 0 },
  { rules: [{ tool: "*", path: "secrets/**", decision: "deny" }] },
  { providers: { work: { baseUrl: "https://models.example/v1", headers: { "api-key": "${KEY}" } } } },
  { autoApproveEdits: { "docs/**": false }, registries: ["npm.example.org:4873"] },
  { hooks: [{ on: "turn-end", command: ["echo", "done"] }], prices: { "a/*": { input: 1, output: 2 } } },
  { mcpServers: { files: { command: "npx", args: ["-y", "files"] } } },
  { lmServer: { models: { "*": "ollama/qwen3" } }, webSearch: undefined },
])("%j is right for both", async (config) => {
  expect(validator.validate(JSON.parse(JSON.stringify(config)))).toMatchObject({ valid: true });
  expect(await readConfigFile("c", JSON.stringify(config))).toMatchObject({
    ok: true,
    value: { warnings: [] },
  });
});

test.each([
  { mode: "pln" },
  { model: " " },
  { maxRounds: 0 },
  { maxRounds: 1.5 },
  { retryFor: "soon" },
  { rules: [{ tool: "*" }] },
  { rules: {} },
  { providers: { work: { url: "https://models.example" } } },
  { providers: { work: { baseUrl: "models.example" } } },
  { autoApproveEdits: { x: "no" } },
  { registries: ["https://npm.example.org/"] },
])("%j is wrong for both", async (config) => {
  expect(validator.validate(config)).toMatchObject({ valid: false });
  expect(await readConfigFile("c", JSON.stringify(config))).toMatchObject({ ok: false });
});

test("an unknown key is marked by the schema, which the reader only warns of", () => {
  expect(validator.validate({ modle: "a/b" })).toMatchObject({ valid: false });
});
