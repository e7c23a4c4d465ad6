/** A tool that is known only by a JSON Schema of somebody else: of a server, or of a program that lends it. */

import type { Expected } from "../base/expected.ts";
import type { JsonObject } from "../base/json.ts";
import type { Does } from "../protocol/facts.ts";
import { checkCall } from "./check-call.ts";
import type { PreparedCall, Produced, Tool, ToolRoom } from "./tool.ts";

type SchemaToolDefinition = {
  name: string;
  aliases?: readonly string[];
  summary: string;
  /** As the model is told it: see `toldSchema`. */
  told: JsonObject;
  /** As its owner wrote it: calls are checked by it. */
  schema: JsonObject;
  does: Does;
  /** By what it is known whether it is still the tool that a person said yes to. */
  definition?: string;
  deferred?: true;
  title(input: JsonObject): string;
  /** All that a person who is asked should see. */
  preview?(input: JsonObject): string;
  run(input: JsonObject, room: ToolRoom): Promise<Produced>;
};

/** Arguments are mended as for our own tools. Where the schema itself cannot be used, its owner checks them. */
export function schemaTool(definition: SchemaToolDefinition): Tool {
  const { name, aliases = [], summary, told, does, deferred } = definition;
  return {
    name,
    aliases,
    summary,
    does,
    ...(definition.definition === undefined ? {} : { definition: definition.definition }),
    ...(deferred ? { deferred } : {}),
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
  if (!checked.ok && !checked.unchecked) return { ok: false, problem: checked.problem };
  const call = checked.ok ? checked.call : { input };
  const repairs = checked.ok ? (checked.call.repairs ?? []) : [];
  return {
    ok: true,
    value: {
      title: definition.title(call.input),
      paths: [],
      ...(definition.preview ? { preview: definition.preview(call.input) } : {}),
      ...(repairs.length > 0 ? { repairs } : {}),
      run: (room) => definition.run(call.input, room),
    },
  };
}
