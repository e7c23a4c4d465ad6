import { expect, test } from "vitest";
import type { Json } from "../../base/json.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { grade, type ProbeAnswer } from "./grade.ts";
import { probeTasks, type ProbeTask, type WantedCall } from "./tasks.ts";

const each = probeTasks.map((task) => [task.name, task] as const);

test("there are at least twenty tasks, each with its own name and question", () => {
  expect(probeTasks.length).toBeGreaterThanOrEqual(20);
  expect(new Set(probeTasks.map(({ name }) => name)).size).toBe(probeTasks.length);
  expect(new Set(probeTasks.map(({ asks }) => asks)).size).toBe(probeTasks.length);
});

test.each(each)("%s: the right answer is accepted, in any order of calls and arguments", async (_, task) => {
  expect(await grade(task, rightly(task))).toBeUndefined();
  const { calls } = rightly(task);
  const turned = calls.toReversed().map((call) => ({ ...call, input: turnedRound(call.input) }));
  expect(await grade(task, { ...rightly(task), calls: turned })).toBeUndefined();
});

test.each(each)("%s: an empty answer, an extra call and a missing call are wrong", async (_, task) => {
  expect(await grade(task, said(""))).toBeTypeOf("string");
  const { calls } = rightly(task);
  const [first] = calls;
  if (!first) {
    expect(await grade(task, { ...rightly(task), calls: [anyCall(task)] })).toContain(
      "where no call was needed",
    );
    return;
  }
  expect(await grade(task, { ...rightly(task), calls: [...calls, { ...first, id: "more" }] })).toMatch(
    /not \d/,
  );
  expect(await grade(task, { ...rightly(task), calls: calls.slice(1) })).toMatch(/not \d/);
  expect(
    await grade(task, { ...rightly(task), calls: [{ ...first, name: "no_such" }, ...calls.slice(1)] }),
  ).toContain("does not exist");
});

test.each(each)("%s: every string, number and boolean of a call matters", async (_, task) => {
  if ("says" in task.right) return;
  const [first, ...others] = task.right.calls;
  if (!first) throw new Error("A task needs a call.");
  const inputs = variants(first.input).flatMap((input) => (isObjectOf(input) ? [input] : []));
  expect(inputs.length).toBeGreaterThan(0);
  for (const input of inputs) {
    const calls = [{ ...first, input }, ...others].map(called);
    expect([input, await grade(task, { ...said(""), calls })]).toEqual([input, expect.any(String)]);
  }
});

test("a string may or may not end with a line break, and null counts as left out", async () => {
  const save = byName("several lines");
  const { text } = firstCall(save).input;
  if (typeof text !== "string") throw new Error("The task has no text.");
  expect(
    await grade(save, { ...said(""), calls: [called({ ...firstCall(save), input: { text: `${text}\n` } })] }),
  ).toBe(undefined);
  const lamp = byName("true and false");
  const input = { ...firstCall(lamp).input, brightness: null };
  expect(await grade(lamp, { ...said(""), calls: [called({ ...firstCall(lamp), input })] })).toBeUndefined();
});

test("an edit is judged by the file it produces, not by its arguments", async () => {
  const edit = byName("edit by exact replacement");
  const { name } = firstCall(edit);
  const doing = (old: string, replacement: string) =>
    grade(edit, {
      ...said(""),
      calls: [called({ name, input: { path: "shop.js", old, new: replacement } })],
    });
  expect(await doing("sum - 1", "sum")).toBeUndefined();
  expect(await doing(" - 1", "")).toBeUndefined();
  expect(await doing("sum - 1", "sum + 0")).toContain("another one");
  expect(await doing("sum - 2", "sum")).toContain("shop.js");
});

test("an unreadable call and an answer cut off by a limit are wrong, with the reason", async () => {
  const [task] = probeTasks;
  if (!task) throw new Error("There is no task.");
  const [call] = rightly(task).calls;
  if (!call) throw new Error("There is no call.");
  const unreadable = { ...call, problem: "not valid JSON" };
  expect(await grade(task, { ...rightly(task), calls: [unreadable] })).toBe(
    "its call could not be read: not valid JSON",
  );
  expect(await grade(task, { ...rightly(task), reason: "length" })).toContain("cut off");
});

const called = ({ name, input }: WantedCall): ToolCall => ({ id: "1", source: "native", name, input });
const said = (text: string): ProbeAnswer => ({ calls: [], text, reason: "stop" });
const rightly = ({ right }: ProbeTask): ProbeAnswer =>
  "says" in right ? said(`It is ${right.says}.`) : { ...said(""), calls: right.calls.map(called) };

function anyCall({ tools }: ProbeTask): ToolCall {
  return called({ name: tools[0]?.name ?? "", input: {} });
}

function byName(name: string): ProbeTask {
  const task = probeTasks.find((one) => one.name === name);
  if (!task) throw new Error(`There is no task ${name}.`);
  return task;
}

function firstCall({ right }: ProbeTask): WantedCall {
  const [call] = "says" in right ? [] : right.calls;
  if (!call) throw new Error("The task wants no call.");
  return call;
}

const isObjectOf = (value: Json): value is WantedCall["input"] =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const turnedRound = (input: WantedCall["input"]): WantedCall["input"] =>
  Object.fromEntries(
    Object.entries(input)
      .toReversed()
      .map(([key, value]) => [key, isObjectOf(value) ? turnedRound(value) : value]),
  );

/** The value with one of its parts changed, in every way. */
function variants(value: Json): Json[] {
  if (typeof value === "string") return [`${value}x`, value.slice(1)];
  if (typeof value === "number") return [value + 1, -value];
  if (typeof value === "boolean") return [!value];
  if (Array.isArray(value))
    return [
      value.slice(1),
      [...value, ...value.slice(0, 1)],
      ...value.flatMap((item, at) => variants(item).map((other) => value.with(at, other))),
    ];
  if (value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    variants(inner).map((other): Json => ({ ...value, [key]: other })),
  );
}
