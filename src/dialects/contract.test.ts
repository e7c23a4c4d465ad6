/**
 * The contract of every dialect: it reads back what it writes, however the text is split, and nothing else ever runs.
 */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import type { ToolDescription } from "../protocol/messages.ts";
import { scale } from "../testing/scale.ts";
import type { WrittenCall } from "./dialect.ts";
import { exampleCall, teach } from "./grammar/lesson.ts";
import { dialectsUnderTest } from "./testing/all.ts";
import { plainCalls, nastyCalls, tools } from "./testing/calls.ts";
import { comparable, readAnswer, tool } from "./testing/reading.ts";

describe.each(dialectsUnderTest)("$name", ({ dialect }) => {
  const read = (text: string, chunk: number, reason: "stop" | "length" = "stop") =>
    readAnswer(text, { known: dialect, tools, chunk, reason });

  test("reads back exactly what it writes, however the text is chunked", () => {
    fc.assert(
      fc.property(plainCalls, fc.integer({ min: 1, max: 40 }), (calls, chunk) => {
        const answer = read(dialect.writeCalls(calls), chunk);
        expect(answer.calls.map(({ name, input, problem }) => ({ name, input, problem }))).toEqual(
          calls.map(({ name, input }) => ({ name, input, problem: undefined })),
        );
        expect(answer.text).toBe("");
      }),
      { numRuns: 10 * scale },
    );
  });

  test("N3, N19: hostile values are read back unchanged, refused or marked as guesses, and never add a call", () => {
    fc.assert(
      fc.property(nastyCalls, fc.integer({ min: 1, max: 40 }), (calls, chunk) => {
        const answer = read(dialect.writeCalls(calls), chunk);
        const written = calls.map(({ name, input }) => JSON.stringify([name, sorted(input)]));
        for (const { name, input, problem, repairs } of answer.calls) {
          if (problem !== undefined || repairs?.some(({ guess }) => guess)) continue;
          expect(written).toContain(JSON.stringify([name, sorted(input)]));
        }
        expect(answer.calls.length).toBeLessThanOrEqual(calls.length);
      }),
      { numRuns: 20 * scale },
    );
  });

  test("the result does not depend on the chunking", () => {
    fc.assert(
      fc.property(nastyCalls, fc.integer({ min: 1, max: 11 }), (calls, chunk) => {
        const text = `Doing it.\n${dialect.writeCalls(calls)}`;
        expect(comparable(read(text, chunk))).toEqual(comparable(read(text, text.length)));
      }),
      { numRuns: 10 * scale },
    );
  });

  test("names may be of any script", () => {
    const input = { путь: "a.md", 行数: 5, été: true };
    const schema: JsonObject = {
      type: "object",
      properties: { путь: { type: "string" }, 行数: { type: "integer" }, été: { type: "boolean" } },
      required: ["путь"],
    };
    for (const name of ["поиск", "検索_ファイル", "हिन्दी", "über-sicht"]) {
      const offered = [{ name, description: "", schema }, tool("ping", {})];
      const text = dialect.writeCalls([{ id: "call_1", name, input }]);
      for (const known of dialect.tier === "taught" || dialect.tier === "whole"
        ? [dialect]
        : [dialect, undefined]) {
        const { calls } = readAnswer(text, { known, dialects: [dialect], tools: offered, chunk: 3 });
        expect([text, calls.map(({ name: called, input: given }) => [called, given])]).toEqual([
          text,
          [[name, input]],
        ]);
      }
    }
  });

  test("N11: a call truncated at the length limit runs as written or not at all", () => {
    fc.assert(
      fc.property(plainCalls, fc.double({ min: 0, max: 1, noNaN: true }), (calls, share) => {
        const text = dialect.writeCalls(calls);
        const answer = read(text.slice(0, Math.floor(text.length * share)), 7, "length");
        const meant = calls.map(({ name, input }) => JSON.stringify([name, sorted(input)]));
        for (const { name, input, problem } of answer.calls)
          if (problem === undefined) expect(meant).toContain(JSON.stringify([name, sorted(input)]));
      }),
      { numRuns: 15 * scale },
    );
  });

  test("N11: a call runs as written or not at all, at every position of the length limit", () => {
    const calls: WrittenCall[] = [
      { id: "call_1", name: "write_file", input: { path: "a", content: "b\nc", mode: 100 } },
      { id: "call_2", name: "ping", input: {} },
    ];
    const text = dialect.writeCalls(calls);
    const meant = calls.map(({ name, input }) => JSON.stringify([name, sorted(input)]));
    for (let end = 0; end < text.length; end += 1)
      for (const { name, input, problem } of read(text.slice(0, end), 7, "length").calls)
        if (problem === undefined)
          expect(meant, text.slice(0, end)).toContain(JSON.stringify([name, sorted(input)]));
  });

  test("N1, N2, N10: a call in a fence, in inline code or in a quotation is text", () => {
    const call = dialect.writeCalls([{ id: "call_1", name: "ping", input: {} }]);
    const flat = call.replaceAll("\n", " ");
    const shown = [
      `Models write this:\n\n~~~~text\n${call}\n~~~~\n\nThat is all.`,
      `You wrote:\n> ${call.replaceAll("\n", "\n> ")}\nDid you mean it?`,
      ...(flat.includes("`") ? [] : [`It waits for \`${flat}\` here.`]),
    ];
    for (const text of shown) expect(read(text, 3)).toMatchObject({ calls: [], text });
  });

  test("the lesson names every tool, and its example is a call that the dialect itself reads", () => {
    const lesson = teach(dialect, tools);
    for (const { name } of tools) expect(lesson).toContain(name);
    const example = dialect.writeCalls([exampleCall]);
    expect(lesson).toContain(example.trim());
    const offered: ToolDescription[] = [tool("look_up", { word: "string" }, ["word"])];
    expect(readAnswer(example, { known: dialect, tools: offered }).calls).toMatchObject([
      { name: "look_up", input: { word: "example" } },
    ]);
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries: [string, unknown][] = Object.entries(value);
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([key, one]) => [key, sorted(one)]),
  );
}
