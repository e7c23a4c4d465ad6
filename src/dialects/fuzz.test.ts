import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../base/testing/any-character.ts";
import { looseName } from "../protocol/tool-name.ts";
import { scale } from "../testing/scale.ts";
import type { Dialect } from "./dialect.ts";
import { offeredTools } from "./extract.ts";
import { allDialects } from "./index.ts";
import { markersOf } from "./markers.ts";
import { nastyCalls, nastyPieces, tools } from "./testing/calls.ts";
import { comparable, readAnswer } from "./testing/reading.ts";

const offered = offeredTools(tools);

const marks = [
  ...new Set(
    allDialects.flatMap((dialect) => [
      ...dialect.openers.map(({ mark }) => mark),
      ...markersOf(dialect),
      ...(dialect.turns ?? []),
      ...(dialect.results ?? []),
      ...(dialect.layout ?? []),
      ...(dialect.thoughts ?? []).flatMap(({ open, close }) => [open, close]),
    ]),
  ),
];

const dialect: fc.Arbitrary<Dialect> = fc.constantFrom(...allDialects);
const known: fc.Arbitrary<Dialect | undefined> = fc.option(dialect, { nil: undefined, freq: 2 });

const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(...marks),
      fc.constantFrom(...nastyPieces),
      fc.constantFrom(
        "ping",
        '{"name": "ping", "arguments": {}}',
        "write_file",
        "path",
        "a.txt",
        "\n",
        " ",
        "```",
      ),
      fc.string({ unit: anyCharacter, maxLength: 6 }),
    ),
    { maxLength: 25 },
  )
  .map((pieces) => pieces.join(""));

/** Written calls with characters lost, doubled or inserted, or with the end cut off. */
const damaged = fc
  .tuple(
    dialect,
    nastyCalls,
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom("cut", "double", "insert", "end"),
        fc.constantFrom(...marks, '"', "}", "\n"),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
  )
  .map(([own, calls, damages]) =>
    damages.reduce((text, [place, kind, extra]) => {
      const at = text.length === 0 ? 0 : place % text.length;
      if (kind === "cut") return text.slice(0, at) + text.slice(at + 1 + (place % 7));
      if (kind === "double") return text.slice(0, at + 12) + text.slice(at);
      return kind === "insert" ? text.slice(0, at) + extra + text.slice(at) : text.slice(0, at);
    }, own.writeCalls(calls)),
  );

test("whatever a model writes, nothing is thrown, no tool name is made up, and chunking changes nothing", () => {
  fc.assert(
    fc.property(fc.oneof(soup, damaged), known, fc.integer({ min: 1, max: 12 }), (text, own, chunk) => {
      const whole = readAnswer(text, { known: own, tools });
      expect(comparable(readAnswer(text, { known: own, tools, chunk }))).toEqual(comparable(whole));
      for (const { name, problem } of whole.calls) {
        const meant = problem === undefined ? offered.find(name) : undefined;
        if (meant) expect(looseName(text)).toContain(looseName(meant.name));
      }
    }),
    { numRuns: 400 * scale },
  );
});

test("N1, N2, N10, N16: no call in a fence, inline code, quotation or comment runs, whatever the dialect", () => {
  const wrap: readonly ((call: string) => string)[] = [
    (call) => `So:\n~~~~\n${call.replaceAll("~~~~", "")}\n~~~~\nThat was it.`,
    (call) => `So:\n\n    ${call.replaceAll("\n", "\n    ")}\n\nThat was it.`,
    (call) => `> ${call.replaceAll("\n", "\n> ")}\n\nThat was it.`,
    (call) => `See <!-- ${call.replaceAll("--", "")} --> there.`,
    (call) => `See \`${call.replaceAll(/[`\n]/g, " ")}\` there.`,
  ];
  const plain = [{ id: "call00001", name: "write_file", input: { path: "a.txt", content: "x" } }];
  for (const own of allDialects)
    for (const wrapped of wrap) {
      const text = wrapped(own.writeCalls(plain));
      expect(readAnswer(text, { tools, chunk: 3 }).calls, `${own.name}: ${text}`).toEqual([]);
    }
});

test("random bytes contain no calls", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const text = Buffer.from(bytes).toString("latin1");
      expect(readAnswer(text, { tools, chunk: 7 }).calls).toEqual([]);
    }),
    { numRuns: 200 * scale },
  );
});
