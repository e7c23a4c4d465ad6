/** A tool known only by a third party's JSON Schema: from a server, or from a program that lends it. */

import { type Expected, refuse } from "../base/expected.ts";
import type { JsonObject } from "../base/json.ts";
import { withoutUndefined } from "../base/without-undefined.ts";
import type { Does } from "../protocol/facts.ts";
import { checkCall } from "./arguments/check-call.ts";
import type { PreparedCall, ToolResult, Tool, ToolContext } from "./tool.ts";

type SchemaToolDefinition = {
  name: string;
  aliases?: readonly string[];
  summary: string;
  /** The schema sent to the model: see `toldSchema`. */
  told: JsonObject;
  /** The owner's original, against which calls are checked. */
  schema: JsonObject;
  does: Does;
  /** Identifies the definition, so that an approval does not carry over to a changed tool. */
  definition?: string;
  askedEachTime?: string;
  deferred?: true;
  title(input: JsonObject): string;
  /** The full text shown to the person who approves the call. */
  preview?(input: JsonObject): string;
  run(input: JsonObject, context: ToolContext): Promise<ToolResult>;
};

/** Repairs arguments as for built-in tools. If the schema is unusable, checking is left to the tool's owner. */
export function schemaTool(definition: SchemaToolDefinition): Tool {
  const { name, aliases = [], summary, told, does, deferred, askedEachTime } = definition;
  return {
    name,
    aliases,
    summary,
    does,
    ...withoutUndefined({ definition: definition.definition, deferred, askedEachTime }),
    schema: told,
    prepare: (input) => prepare(definition, input),
  };
}

function prepare(definition: SchemaToolDefinition, input: JsonObject): Expected<PreparedCall> {
  const { name, schema } = definition;
  const checked = checkCall(
    { id: name, name, input, source: "native" },
    { tools: [{ name, schema }], defaults: "needed" },
  );
  if (!checked.ok && !checked.unchecked) return refuse(checked.problem);
  const call = checked.ok ? checked.call : { input };
  const repairs = checked.ok ? (checked.call.repairs ?? []) : [];
  return {
    ok: true,
    value: {
      title: definition.title(call.input),
      paths: [],
      ...(definition.preview ? { preview: definition.preview(call.input) } : {}),
      ...(repairs.length > 0 ? { repairs } : {}),
      run: (context) => definition.run(call.input, context),
    },
  };
}
