/** The `lmServer` section of the configuration file. */

import { expect, test } from "vitest";
import { readConfigFile } from "./config-file.ts";

async function read(lmServer: unknown) {
  return readConfigFile("config.json", JSON.stringify({ lmServer }));
}

test("names, origins and hosts are read as they are written", async () => {
  const settings = {
    models: { "claude-*": "ollama/qwen3", big: { model: "a/b", assumedContext: 200_000 } },
    origins: ["http://localhost:3000"],
    hosts: ["models.example.org", "box:8443"],
  };
  expect(await read(settings)).toMatchObject({ ok: true, value: { lmServer: settings, warnings: [] } });
});

test("an invalid setting is reported with its path", async () => {
  const wrong: [unknown, RegExp][] = [
    [[], /"lmServer" must be an object in braces/],
    [{ model: {} }, /"lmServer" has no "model" \(did you mean "models"\?\)/],
    [{ models: { a: 1 } }, /"lmServer\.models\.a" must be a model's name, or/],
    [{ models: { a: "" } }, /"lmServer\.models\.a" must be the name of a model/],
    [
      { models: { a: { model: "x", assumedContext: 5 } } },
      /"lmServer\.models\.a\.assumedContext" must be a number of tokens/,
    ],
    [{ origins: ["localhost"] }, /"lmServer\.origins\.0" must be an origin such as/],
    [{ hosts: ["http://x/"] }, /"lmServer\.hosts\.0" must be a host such as/],
  ];
  for (const [settings, words] of wrong)
    expect(await read(settings)).toEqual({ ok: false, problem: expect.stringMatching(words) });
});
