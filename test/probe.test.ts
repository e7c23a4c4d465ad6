/** The built command learns which dialect suits a model: by measuring it, and from its sessions. */

import { expect, test } from "vitest";
import { isObject } from "../src/base/json.ts";
import { ModelError } from "../src/protocol/model-events.ts";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import { storeAt } from "../src/session/testing/store-at.ts";
import { asText, atALoss, inWays, probedModel, type Speaker } from "../src/testing/probed-models.ts";
import { newHome, runCommand, startCommand, type Home } from "./support/command.ts";
import { lead, ollamaRoad, roads, serve } from "./support/roads.ts";
import { wholeSession } from "./support/whole-log.ts";

const taught: Speaker = (calls, asked) =>
  asked.dialect ? asText(asked.dialect)(calls, asked) : atALoss(calls, asked);
const onlyHermes = inWays({ hermes: taught });

async function measuredIn(home: Home) {
  const store = await storeAt(`${home.stateDir}/sessions.db`);
  const models = await store.measuredModels();
  await store.close();
  return models;
}

test("probe prints and stores its measurement, and the next run uses the best way and says so", async () => {
  const home = await newHome();
  const server = await serve(probedModel(onlyHermes, { name: "qwen:1b" }));
  const flags = lead(home, ollamaRoad, server.url);
  const probed = await runCommand(home, ["probe", "ollama/qwen:1b"]);
  expect(probed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^hermes +(\d+)\/\1 .*\n/m) });
  expect(probed.stdout).toContain("From now on ollama/qwen:1b is asked in hermes.");
  expect(await measuredIn(home)).toMatchObject([{ server: server.url, model: "qwen:1b" }]);

  const before = server.requests.length;
  const ran = await runCommand(home, [...flags, "--verbose", "-p", "Hello"]);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(
    /! When it was measured on [-\d]+, .* with hermes and .* with native tools: it is taught/,
  );
  const asked = server.requests.slice(before).find(({ path }) => path === "/api/chat");
  expect(isObject(asked?.body) && Object.hasOwn(asked.body, "tools")).toBe(false);

  const native = await runCommand(home, [...flags, "--verbose", "--dialect", "native", "-p", "Hello"]);
  expect(native.stderr).not.toContain("measured");
  expect((await runCommand(home, ["doctor"])).stdout).toMatch(
    /^ok +dialects +measured: qwen:1b \(best: hermes, /m,
  );
});

test("concurrent probes by several processes leave one complete measurement", async () => {
  const home = await newHome();
  const server = await serve(probedModel(onlyHermes, { name: "qwen:1b" }));
  lead(home, ollamaRoad, server.url);
  const ended = await Promise.all([1, 2, 3].map(() => runCommand(home, ["probe", "ollama/qwen:1b"])));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  const [model] = await measuredIn(home);
  expect(model?.dialects.map(({ dialect }) => dialect).toSorted()).toEqual([
    "hermes",
    "json-answer+schema",
    "json-fence",
    "native",
  ]);
});

test("Ctrl-C ends a probe immediately with 130 and stores nothing", async () => {
  const home = await newHome();
  const asked = Promise.withResolvers<void>();
  const stalls: Speaker = () => {
    asked.resolve();
    return [{ wait: new Promise(() => undefined) }];
  };
  const server = await serve(probedModel(stalls, { name: "qwen:1b" }));
  lead(home, ollamaRoad, server.url);
  const running = startCommand(home, ["probe", "ollama/qwen:1b"]);
  await asked.promise;
  running.child.kill("SIGINT");
  const ended = await running.ended;
  expect(ended).toMatchObject({
    code: 130,
    stderr: expect.stringContaining("Interrupted: nothing was kept.\n"),
  });
  expect(await measuredIn(home)).toEqual([]);
});

const broken: ScriptedAnswer = [
  { say: '<tool_call>\n{"name": "list_files", "arguments": {"path": }}\n</tool_call>' },
];
const listing: ScriptedAnswer = [
  { say: '<tool_call>\n{"name": "list_files", "arguments": {}}\n</tool_call>' },
];

test.each(roads.map((road) => [road.name, road] as const))(
  "over %s, a session changes its dialect after two unreadable answers, says so, and the next session starts there",
  async (_, road) => {
    const home = await newHome({ "a.txt": "hello\n" });
    const model = scriptedModel([
      broken,
      broken,
      listing,
      [{ say: "There is a.txt." }],
      [{ say: "Still there." }],
    ]);
    const server = await serve(model);
    const flags = lead(home, road, server.url);
    const ran = await runCommand(home, [...flags, "-p", "What is there?"]);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: "There is a.txt.\n" });
    expect(ran.stderr).toMatch(
      /so from here on another way is used: it is taught to write its calls as text \(/,
    );
    expect(ran.stderr).toContain("● List . … ok");
    const warnings = (await wholeSession(home.stateDir)).filter(({ type }) => type === "warning");
    expect(warnings).toHaveLength(1);

    const next = await runCommand(home, [...flags, "--verbose", "-p", "And now?"]);
    expect(next.stderr).toContain(
      "! In earlier sessions 2 of its 2 calls with native tools could not be read",
    );
    expect(model.prompts.map(({ tools }) => tools.length > 0)).toEqual([true, true, false, false, false]);
  },
);

test("when a server fails on its model's calls, the same answer is requested again as text, with a notice", async () => {
  const home = await newHome({ "a.txt": "hello\n" });
  const failure = new ModelError(
    "server",
    "error parsing tool call: raw='{\"path\":', err=unexpected end of JSON input",
  );
  const model = scriptedModel([[{ fail: failure }], listing, [{ say: "There is a.txt." }]]);
  const server = await serve(model);
  const ran = await runCommand(home, [...lead(home, ollamaRoad, server.url), "-p", "What is there?"]);
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: "There is a.txt.\n" });
  expect(ran.stderr).toContain("The server could not read the model's own calls");
  expect(model.prompts.map(({ tools }) => tools.length > 0)).toEqual([true, false, true]);
});

test("when every dialect fails, the turn ends with what to do", async () => {
  const home = await newHome();
  const model = scriptedModel(() => broken);
  const server = await serve(model);
  const ran = await runCommand(home, [...lead(home, ollamaRoad, server.url), "-p", "What is there?"]);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain(
    "could not be read 3 times in a row (native tools, hermes, json-answer+schema, json-fence)",
  );
  expect(ran.stderr).toContain("toolwright probe");
  expect(model.prompts).toHaveLength(9);
});
