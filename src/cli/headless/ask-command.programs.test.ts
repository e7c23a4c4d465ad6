/** Tests `--ask-on`: a command of the person's own answers what waits for a person. */

import { Validator } from "@cfworker/json-schema";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { identityOf, livenessOf } from "../../base/process-identity.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { cliBounds } from "../bounds.ts";
import { headlessSchema } from "./json-schemas.ts";
import { testHome, type TestHome } from "./testing/run.ts";

let home: TestHome;
beforeEach(async () => {
  home = await testHome();
});
afterEach(() => home.remove());

const write: ScriptedAnswer = [{ call: "write_file", with: { path: "a.txt", content: "x" } }];
const question: ScriptedAnswer = [
  { call: "ask_user", with: { question: "Which?", choices: [{ label: "a" }, { label: "b" }] } },
];
const done: ScriptedAnswer = [{ say: "Done." }];

/** Runs with a shell script that lies outside of the workspace, and keeps what it is told. */
async function ask(script: string, answers: ScriptedAnswer[], more: readonly string[] = []) {
  await home.put("answer.sh", script);
  const argv = ["-p", "x", "--output", "json", "--ask-on", "sh ../answer.sh", ...more];
  const model = scriptedModel(answers);
  const ran = await home.run(argv, model);
  const { waited, denied, ...result } = JSON.parse(ran.out);
  return { ...ran, waited, denied, result, told: JSON.stringify(model.prompts.at(-1)?.messages) };
}

test("an approval, a question, a plan and a limit are put as JSON, and answered by what the command prints", async () => {
  const script = `cat > ../asked; cat ../asked >> ../all; case $(cat ../asked) in
    *'"type":"approval-asked"'*) echo '{"answer":"allow","scope":"session"}';;
    *'"type":"limit-asked"'*) echo '{"answer":"extend"}';;
    *'"steps":'*) echo '{"answer":"given","mode":"ask"}';;
    *) echo '{"answer":"given","chosen":[1],"type":"answer-question"}';;
  esac`;
  const ran = await ask(script, [write, question, done], ["--max-rounds", "2"]);
  expect([ran.code, ran.err]).toEqual([0, expect.not.stringContaining("--ask-on")]);
  expect(ran.waited).toEqual([
    { type: "approval", about: "Write a.txt", answer: "allow" },
    { type: "question", about: "Which?", answer: "given" },
    { type: "limit", about: "2 rounds", answer: "extend" },
  ]);
  expect(await home.read("work/a.txt")).toBe("x");
  const schema = { ...headlessSchema(), $ref: "#/$defs/question" };
  const validator = new Validator(JSON.parse(JSON.stringify(schema)), "2020-12");
  const asked = (await home.read("all")).trimEnd().split("\n");
  expect(asked).toHaveLength(3);
  for (const line of asked) {
    expect(JSON.parse(line)).toMatchObject({
      version: 1,
      workspace: home.path("work"),
      session: ran.result.session,
    });
    expect(validator.validate(JSON.parse(line)).errors).toEqual([]);
  }
  const plan: ScriptedAnswer = [{ call: "propose_plan", with: { steps: [{ title: "Write it" }] } }];
  const planned = await ask(script, [plan, done], ["--mode", "plan"]);
  expect([planned.code, planned.waited]).toEqual([
    0,
    [{ type: "question", about: expect.any(String), answer: "given" }],
  ]);
});

test("a no is passed on with its reason", async () => {
  const ran = await ask(`echo '{"answer":"deny","note":"not on Fridays"}'`, [write, done]);
  expect([ran.code, ran.waited]).toEqual([3, [expect.objectContaining({ answer: "deny" })]]);
  expect(ran.told).toContain("not on Fridays");
});

test.each([
  ["fails", "echo broken >&2; exit 7", /it ended with exit code 7: broken/u],
  ["dies", "kill -9 $$", /it ended with (?:exit code 137|SIGKILL)/u],
  ["is silent", "cat > /dev/null", /it printed nothing/u],
  ["prints no JSON", "echo yes", /it did not print one JSON object/u],
  ["prints two objects", `echo '{"answer":"allow"}{"answer":"allow"}'`, /it did not print one JSON object/u],
  [
    "gives an answer that there is not",
    `echo '{"answer":"perhaps"}'`,
    /"answer" must be one of "allow", "deny"/u,
  ],
  ["has a field too many", `echo '{"answer":"allow","notes":"x"}'`, /no field "notes"/u],
  ["answers something else", `echo '{"answer":"allow","callId":"x"}'`, /another question/u],
  ["asks for another thing", `echo '{"type":"interrupt"}'`, /another question|no field "callId"/u],
  ["floods", "yes", /it printed more than 1 MiB/u],
])("a command that %s is a no, with the reason for the person and the model", async (_, script, reason) => {
  const ran = await ask(script, [write, done]);
  expect([ran.code, ran.denied]).toEqual([3, [expect.objectContaining({ tool: "write_file" })]]);
  expect(ran.err).toMatch(/^! --ask-on gave no answer, which is a no: /mu);
  expect(ran.err).toMatch(reason);
  expect(ran.told).toContain("Denied, because nobody answered. The reason: ");
  expect(ran.told).toContain("the command of --ask-on failed: ");
  expect(ran.told).not.toContain("The user");
});

test("people read that the asking failed, not that a person said no", async () => {
  await home.put("answer.sh", "exit 7");
  const model = scriptedModel([write, done]);
  const ran = await home.run(["-p", "x", "--ask-on", "sh ../answer.sh"], model);
  expect(ran.err).toContain(
    "● Write a.txt … denied: nobody answered: the command of --ask-on failed: it ended with exit code 7\n",
  );
});

test("people read the reason once, also for a question and for a limit", async () => {
  await home.put("answer.sh", "echo no bell >&2; exit 7");
  const run = async (answers: ScriptedAnswer[], ...more: string[]): Promise<string> =>
    (await home.run(["-p", "x", "--ask-on", "sh ../answer.sh", ...more], scriptedModel(answers))).err;
  for (const [answers, ...more] of [
    [[write, done]],
    [[question, done]],
    [[write, done], "--max-rounds", "1", "--allow", "write_file"],
  ] satisfies [ScriptedAnswer[], ...string[]][])
    expect((await run(answers, ...more)).split("it ended with exit code 7: no bell")).toHaveLength(2);
});

test("a question of the model and a limit are declined likewise", async () => {
  const ran = await ask("exit 1", [question, done]);
  expect([ran.code, ran.waited]).toEqual([0, [expect.objectContaining({ answer: "declined" })]]);
  expect(ran.told).toContain("Nobody answered this. Decide yourself");
  const limited = await ask("exit 1", [question, question, done], ["--max-rounds", "1"]);
  expect(limited.code).toBe(4);
});

test("a command that hangs is stopped in time, and its children with it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const running = ask("sleep 1000 & echo $! > ../pid; wait", [write, done]);
  let child = "";
  while (!child.endsWith("\n")) child = await home.read("pid").catch(() => "");
  const sleeping = identityOf(Number(child));
  const isOver = running.then(() => true);
  const goesOn = async (): Promise<boolean> => {
    await vi.advanceTimersByTimeAsync(cliBounds.answer.most / 10);
    await new Promise(setImmediate);
    return false;
  };
  while (!(await Promise.race([isOver, goesOn()])));
  const ran = await running;
  expect([ran.code, ran.err]).toEqual([3, expect.stringMatching(/it had not answered after 10 min/u)]);
  vi.useRealTimers();
  await expect.poll(() => livenessOf(sleeping)).toBe("dead");
});

test("an interruption stops the command, and the run ends", async () => {
  await home.put("answer.sh", "touch ../begun; sleep 1000");
  const model = scriptedModel([write, done]);
  const ran = await home.run(
    ["-p", "x", "--output", "json", "--ask-on", "sh ../answer.sh"],
    model,
    async (terminal) => {
      await expect.poll(() => home.read("begun").catch(() => "not yet")).toBe("");
      terminal.raise("SIGINT");
    },
  );
  expect(ran.code).toBe(130);
  expect(JSON.parse(ran.out)).toMatchObject({ stopped: "interrupted", exit: 130 });
});

test("a command in the workspace is refused, since the model could change it", async () => {
  await home.put("work/answer.sh", "echo");
  const model = scriptedModel([]);
  for (const command of [
    "./answer.sh",
    "sh answer.sh",
    "cat|sh 'answer.sh'",
    `sh ${home.path("work/answer.sh")}`,
    `sh ${home.path("work/answer.sh").replace(home.root, "~")}`,
  ]) {
    const ran = await home.run(["-p", "x", "--ask-on", command], model);
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toMatch(/which is in the workspace, where the model could change it: keep it elsewhere/u);
  }
});
