/** Envelopes of actions, one per answer, in a fence of their own (requirements B2–B6). */

import type { JsonObject } from "../base/json.ts";
import type { Dialect, WrittenCall } from "./dialect.ts";
import { subagentTool } from "./grammar/envelope-entries.ts";
import { inEnvelope, envelopeRules, envelopes } from "./grammar/envelope.ts";

const kind = "agent";

export const yipsAgent: Dialect = {
  name: "yips-agent",
  ...envelopes(kind),
  rounds: 6,
  lesson: {
    form: inEnvelope(kind, {
      assistant_text: "What you do, in a few words.",
      actions: [{ type: "tool", id: "a1", name: "tool_name", arguments: { parameter: "value" } }],
    }),
    ...envelopeRules,
  },
  writeCalls: (calls) => inEnvelope(kind, { actions: calls.map(actionOf) }),
};

function actionOf({ id, name, input }: WrittenCall): JsonObject {
  if (name === subagentTool) return { ...input, type: "subagent", id };
  return { type: "tool", id, name, arguments: input };
}
