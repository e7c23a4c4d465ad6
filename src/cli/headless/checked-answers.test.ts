/** Tests `--json-schema`, `-o` and what else of a run is a matter of its answer. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { testHome, type TestHome } from "./testing/run.ts";

let home: TestHome;
beforeEach(async () => {
  home = await testHome();
  await home.put(
    "schema.json",
    JSON.stringify({
      type: "object",
      properties: { count: { type: "integer" } },
      required: ["count"],
      additionalProperties: false,
    }),
  );
});
afterEach(() => home.remove());

const asked = (...more: string[]) => ["-p", "Count.", "--json-schema", "../schema.json", ...more];
const say = (text: string): ScriptedAnswer => [{ say: text }];

test("an answer that fits the schema is printed alone, without its fence and the words around it", async () => {
  const model = scriptedModel([say('Here:\n```json\n{"count": 3}\n```')]);
  const ran = await home.run(asked(), model);
  expect([ran.code, ran.out]).toEqual([0, '{"count": 3}\n']);
  const said = JSON.stringify(model.prompts[0]?.messages);
  expect(said).toContain("Count.");
  expect(said).toContain("additionalProperties");
});

test("an answer that does not fit is asked for again, with what is wrong, at most twice", async () => {
  const model = scriptedModel([say("Three."), say('{"count": "3"}'), say('{"count": 3}')]);
  const ran = await home.run(asked("--output", "json"), model);
  expect(ran.code).toBe(0);
  expect(JSON.parse(ran.out)).toMatchObject({
    text: '{"count": 3}',
    answer: { count: 3 },
    stopped: "done",
    exit: 0,
  });
  const told = model.prompts.map(({ messages }) => JSON.stringify(messages.at(-1)));
  expect(told[1]).toContain("it is not JSON");
  expect(told[2]).toContain('\\"count\\" must be an integer');

  const never = scriptedModel(() => say("Three."));
  const failed = await home.run(asked(), never);
  expect([failed.code, failed.out, never.prompts.length]).toEqual([1, "", 3]);
  expect(failed.err).toMatch(/Failed: the answer does not fit the schema: it is not JSON · .* exit 1\n$/u);
  expect(failed.err.match(/^Three\.$/gmu)).toHaveLength(3);
  const json = await home.run(
    asked("--output", "json"),
    scriptedModel(() => say("Three.")),
  );
  expect(JSON.parse(json.out)).toMatchObject({ stopped: "failed", answer: null, exit: 1 });
});

test("a model that was interrupted or failed is not asked again", async () => {
  const model = scriptedModel([say("Three.")]); // the script ends, so the second answer fails
  const ran = await home.run(asked(), model);
  expect([ran.code, ran.out]).toEqual([1, ""]);
});

test("a schema that cannot be used is refused before anything is asked", async () => {
  const model = scriptedModel([]);
  await home.put("schema.json", "{");
  const ran = await home.run(asked(), model);
  expect([ran.code, ran.out, model.prompts]).toEqual([2, "", []]);
  expect(ran.err).toMatch(/^toolwright: The schema .*schema\.json is not JSON/u);
});

test("-o writes the answer alone, whatever the output, and is emptied at the start", async () => {
  await home.put("answer.txt", "of yesterday\n");
  const write = ["-p", "x", "-o", "../answer.txt"];
  const ran = await home.run(write, scriptedModel([say("First.")]));
  expect([ran.out, await home.read("answer.txt")]).toEqual(["First.\n", "First.\n"]);
  await home.run([...write, "--output", "stream-json"], scriptedModel([say("Second.")]));
  expect(await home.read("answer.txt")).toBe("Second.\n");
  await home.run(
    [...write, "--json-schema", "../schema.json"],
    scriptedModel([say('```\n{"count":1}\n```')]),
  );
  expect(await home.read("answer.txt")).toBe('{"count":1}\n');
  await home.run(
    [...write, "--json-schema", "../schema.json"],
    scriptedModel(() => say("No.")),
  );
  expect(await home.read("answer.txt")).toBe("");
});

test("-o holds no words of ours about a failure", async () => {
  const write = ["-p", "x", "-o", "../answer.txt"];
  expect((await home.run(write, scriptedModel([[]]))).code).toBe(1);
  expect(await home.read("answer.txt")).toBe("");
});

test("an output file that cannot be written is refused before anything is asked", async () => {
  const model = scriptedModel([]);
  for (const file of ["../none/answer.txt", "."]) {
    const ran = await home.run(["-p", "x", "-o", file], model);
    expect([ran.code, ran.out, model.prompts]).toEqual([2, "", []]);
    expect(ran.err).toMatch(/^toolwright: The answer cannot be written to .*: name another file with -o\n$/u);
  }
});
