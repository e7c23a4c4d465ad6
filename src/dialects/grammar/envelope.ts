/** Common parts of the JSON envelope dialects (requirements B2–B6, N14): opening, writing, results. */

import type { Json } from "../../base/json.ts";
import type { Lesson, MarkedDialect, WrittenResult } from "../dialect.ts";
import { before, blank, either, follows, inOrder, mark, oneOf, some } from "../reading/ahead.ts";
import { fence, readEnvelope, readUnfenced, envelopeOpener } from "./envelope-block.ts";
import { fenceInfo } from "./fence.ts";
import { resultText } from "./lesson.ts";

const kinds = ["agent", "tools"] as const;
type EnvelopeKind = (typeof kinds)[number];

/** If the dialect was taught, it also reads the other kind, and detects an envelope without its fence. */
export const envelopes = (own: EnvelopeKind) =>
  ({
    tier: "tagged",
    openers: [
      {
        mark: envelopeOpener,
        where: "line",
        begins: (ahead, { isKnown }) => follows(ahead, isKnown ? oneOf(...kinds) : mark(own), lineEnd),
      },
      {
        mark: "{",
        where: "line",
        begins: (ahead, { isKnown }) => (isKnown ? follows(ahead, firstKey) : "text"),
      },
      {
        mark: fence,
        where: "line",
        begins: (ahead, { isKnown }) => (isKnown ? follows(ahead, fenceInfo, mark("{"), firstKey) : "text"),
      },
    ],
    stop: [],
    markers: [envelopeOpener],
    writeResults,
    *read(reader, opener) {
      if (opener === envelopeOpener) yield* readEnvelope(reader);
      else yield* readUnfenced(reader, opener);
    },
  }) satisfies Partial<MarkedDialect>;

const bodyBegins = before(/[\r\n{]/);
const lineEnd = either(bodyBegins, inOrder(some(/[ \t]/), bodyBegins));
const firstKey = inOrder(blank, either(mark('"actions"'), mark('"assistant_text"')), blank, before(/:/));

/** Encloses JSON in an envelope. */
export const inEnvelope = (kind: EnvelopeKind, content: Json): string =>
  `${envelopeOpener}${kind}\n${JSON.stringify(content)}\n${fence}`;

export const envelopeRules: Pick<Lesson, "rules" | "resultRules"> = {
  rules: [
    "Exactly one such block per answer, with valid JSON in it: several calls stand in its list.",
    "Every call has an id of its own, a name and an object of arguments.",
  ],
  resultRules: [
    "After the block, stop. The results come in the next message under Action results; never write one yourself.",
  ],
};

/** Labels each result with its tool's name (1.F). */
function writeResults(results: readonly WrittenResult[]): string {
  const written = results.map((result) => {
    const outcome = result.isError ? "error" : "ok";
    return `[${result.id}] ${result.name}: ${outcome}\n${resultText(result)}`;
  });
  return ["Action results:", ...written].join("\n\n");
}
