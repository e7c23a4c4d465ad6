import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { tryOutMemory } from "./try-out-memory.ts";

let place: string;
let file: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "toolwright-trials-"));
  file = join(place, "sandbox", "trials.json");
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
});

test("what worked is recalled at the next start", () => {
  const first = tryOutMemory(place, ["/bin/sh"], "code");
  first.keep("a", "-m");
  first.keep("b", "works");
  const next = tryOutMemory(place, ["/bin/sh"], "code");
  expect(["a", "b", "c"].map((trial) => next.recall(trial))).toEqual(["-m", "works", undefined]);
});

test("another code, other programs, and a program that was replaced, need new trials", () => {
  const program = join(place, "program");
  writeFileSync(program, "one");
  tryOutMemory(place, [program], "code").keep("a", "-m");
  expect(tryOutMemory(place, [program], "other code").recall("a")).toBeUndefined();
  expect(tryOutMemory(place, [program, "/bin/sh"], "code").recall("a")).toBeUndefined();
  expect(tryOutMemory(place, [program], "code").recall("a")).toBe("-m");
  writeFileSync(program, "two");
  expect(tryOutMemory(place, [program], "code").recall("a")).toBeUndefined();
});

test("only what was recalled can have been wrong, and then nothing is remembered any more", () => {
  const memory = tryOutMemory(place, [], "");
  memory.keep("a", "-m");
  memory.keep("b", "-m");
  expect(memory.forget()).toBe(false);
  expect(memory.recall("a")).toBe("-m");
  expect([memory.forget(), memory.forget()]).toEqual([true, false]);
  expect([memory.recall("a"), memory.recall("b")]).toEqual([undefined, undefined]);
});

test.each(["", "{", "[]", "null", '{"outcomes":{"x":1}}', "[".repeat(100_000), "\0"])(
  "a file that holds %j is no memory, and is written anew",
  (text) => {
    const memory = tryOutMemory(place, [], "");
    memory.keep("a", "-m");
    writeFileSync(file, text);
    expect(memory.recall("a")).toBeUndefined();
    memory.keep("b", "-m");
    expect(memory.recall("b")).toBe("-m");
  },
);

test("where nothing can be written, nothing is remembered and nothing fails", () => {
  writeFileSync(join(place, "sandbox"), "a file");
  const memory = tryOutMemory(place, [], "");
  memory.keep("a", "-m");
  expect(memory.recall("a")).toBeUndefined();
});

test("it does not grow without end", () => {
  const memory = tryOutMemory(place, [], "");
  for (let at = 0; at < 250; at += 1) memory.keep(`trial ${at}`, "-m");
  expect([memory.recall("trial 0"), memory.recall("trial 249")]).toEqual([undefined, "-m"]);
  expect(readFileSync(file).length).toBeLessThan(10_000);
});
