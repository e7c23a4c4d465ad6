/** Envelopes in a fence of their own, of two kinds: how they are found, taught and written (requirements B2–B6). */

import type { Json, JsonObject } from "../base/json.ts";
import type { MarkedDialect, WrittenCall } from "./dialect.ts";
import { envelopeOpener, fence, readEnvelope, readUnfenced } from "./grammar/envelope-block.ts";
import { subagentTool } from "./grammar/envelope-entries.ts";
import { fenceInfo } from "./grammar/fence.ts";
import { resultText } from "./grammar/lesson.ts";
import { before, blank, either, follows, inOrder, mark, oneOf, some } from "./reading/ahead.ts";

const kinds = ["agent", "tools"] as const;

/** `example`: what stands in an envelope, with placeholders. */
type Envelope = Pick<MarkedDialect, "name"> & {
  readonly kind: (typeof kinds)[number];
  readonly example: JsonObject;
  readonly contentOf: (calls: readonly WrittenCall[]) => Json;
};

/** If the dialect was taught, it also reads the other kind, and detects an envelope without its fence. */
function envelopeDialect({ name, kind, example, contentOf }: Envelope): MarkedDialect {
  const inEnvelope = (content: Json): string =>
    `${envelopeOpener}${kind}\n${JSON.stringify(content)}\n${fence}`;
  return {
    name,
    tier: "tagged",
    openers: [
      {
        mark: envelopeOpener,
        where: "line",
        begins: (ahead, { isKnown }) => follows(ahead, isKnown ? oneOf(...kinds) : mark(kind), lineEnd),
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
    rounds: 6,
    lesson: {
      form: inEnvelope(example),
      rules: [
        "Exactly one such block per answer, with valid JSON in it: several calls stand in its list.",
        "Every call has an id of its own, a name and an object of arguments.",
      ],
      resultRules: [
        "After the block, stop. The results come in the next message under Action results; never write one yourself.",
      ],
    },
    writeCalls: (calls) => inEnvelope(contentOf(calls)),
    /** Labels each result with its tool's name (1.F). */
    writeResults: (results) =>
      [
        "Action results:",
        ...results.map(
          (one) => `[${one.id}] ${one.name}: ${one.isError ? "error" : "ok"}\n${resultText(one)}`,
        ),
      ].join("\n\n"),
    read: (reader, opener) =>
      opener === envelopeOpener ? readEnvelope(reader) : readUnfenced(reader, opener),
  };
}

const bodyBegins = before(/[\r\n{]/);
const lineEnd = either(bodyBegins, inOrder(some(/[ \t]/), bodyBegins));
const firstKey = inOrder(blank, either(mark('"actions"'), mark('"assistant_text"')), blank, before(/:/));

/** Envelopes of actions, one per answer, in a fence of their own (requirements B2–B6). */
export const yipsAgent = envelopeDialect({
  name: "yips-agent",
  kind: "agent",
  example: {
    assistant_text: "What you do, in a few words.",
    actions: [{ type: "tool", id: "a1", name: "tool_name", arguments: { parameter: "value" } }],
  },
  contentOf: (calls) => ({
    actions: calls.map(({ id, name, input }): JsonObject =>
      name === subagentTool
        ? { ...input, type: "subagent", id }
        : { type: "tool", id, name, arguments: input },
    ),
  }),
});

const isSubagent = ({ name }: WrittenCall): boolean => name === subagentTool;

/**
 * The older kind of envelope, with a list for each kind of call (requirement B3): accepted, and taught to nobody
 * unasked.
 */
export const yipsTools = envelopeDialect({
  name: "yips-tools",
  kind: "tools",
  example: {
    tool_calls: [{ id: "t1", name: "tool_name", arguments: { parameter: "value" } }],
  },
  contentOf(calls) {
    const subagents = calls.filter(isSubagent).map(({ id, input }) => ({ ...input, id }));
    return {
      tool_calls: calls
        .filter((call) => !isSubagent(call))
        .map(({ id, name, input }) => ({ id, name, arguments: input })),
      ...(subagents.length > 0 ? { subagent_calls: subagents } : {}),
    };
  },
});
