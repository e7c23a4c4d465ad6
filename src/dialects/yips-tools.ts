/**
 * The older kind of envelope, with a list for each kind of call (requirement B3): accepted, and taught to nobody
 * unasked.
 */

import type { Dialect, WrittenCall } from "./dialect.ts";
import { subagentTool } from "./grammar/envelope-entries.ts";
import { inEnvelope, envelopeRules, envelopes } from "./grammar/envelope.ts";

const kind = "tools";

export const yipsTools: Dialect = {
  name: "yips-tools",
  ...envelopes(kind),
  rounds: 6,
  lesson: {
    form: inEnvelope(kind, {
      tool_calls: [{ id: "t1", name: "tool_name", arguments: { parameter: "value" } }],
    }),
    ...envelopeRules,
  },
  writeCalls,
};

const isSubagent = ({ name }: WrittenCall): boolean => name === subagentTool;

function writeCalls(calls: readonly WrittenCall[]): string {
  const tools = calls.filter((call) => !isSubagent(call));
  const subagents = calls.filter(isSubagent);
  const envelopeOf = {
    tool_calls: tools.map(({ id, name, input }) => ({ id, name, arguments: input })),
    ...(subagents.length > 0 ? { subagent_calls: subagents.map(({ id, input }) => ({ ...input, id })) } : {}),
  };
  return inEnvelope(kind, envelopeOf);
}
