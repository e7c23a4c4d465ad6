/** A model whose provider holds its native calls to the tools' schemas. */

import { lastMade } from "../base/last-made.ts";
import type { ToolDescription } from "../protocol/messages.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import type { WireName } from "../wires/wire.ts";
import { heldModel, type ConstraintRefused } from "./held-model.ts";
import type { Model } from "./provider.ts";
import { wrapModel } from "./wrapped-model.ts";

export function strictModel(model: Model, wire: WireName | undefined, refused?: ConstraintRefused): Model {
  const held = heldModel(model, refused);
  const schemasOf = lastMade((tools: readonly ToolDescription[]) => strictness(wire, tools));
  return wrapModel(model, {
    async *ask(prompt, signal, sent) {
      const offersTools = prompt.tools.length > 0 && prompt.toolChoice !== "none";
      if (!offersTools) {
        yield* model.ask(prompt, signal, sent);
        return;
      }
      const { tools } = prompt;
      const { strict, schemas } = await schemasOf(tools);
      for await (const event of held.ask(
        { ...prompt, constraint: { type: "strict", schemas } },
        signal,
        sent,
      ))
        yield event.type === "call-end" ? withCall(event, { tools, strict, schemas }) : event;
    },
  });
}

const loadStrict = () => import("../dialects/constraint/strict-tools.ts");
type StrictTools = Awaited<ReturnType<typeof loadStrict>>;
type StrictCalls = {
  tools: readonly ToolDescription[];
  strict: StrictTools;
  schemas: ReturnType<StrictTools["strictSchemas"]>;
};

/** Gemini takes schemas as they are. */
async function strictness(
  wire: WireName | undefined,
  tools: readonly ToolDescription[],
): Promise<Pick<StrictCalls, "strict" | "schemas">> {
  const strict = await loadStrict();
  const { strictSchemas, anthropicStrictness, openaiStrictness } = strict;
  const demands = wire === "anthropic" ? anthropicStrictness : openaiStrictness;
  return { strict, schemas: wire === "gemini" ? {} : strictSchemas(tools, demands) };
}

function withCall(
  event: ModelEvent & { type: "call-end" },
  { tools, strict, schemas }: StrictCalls,
): ModelEvent {
  const { call } = event;
  const tool = tools.find(({ name }) => name === call.name && Object.hasOwn(schemas, name));
  if (!tool || call.problem !== undefined) return event;
  const { rawArguments: _, ...rest } = call;
  const input = strict.withoutNulls(call.input, tool.schema);
  const isSame = JSON.stringify(input) === JSON.stringify(call.input);
  return isSame ? event : { ...event, call: { ...rest, input } };
}
