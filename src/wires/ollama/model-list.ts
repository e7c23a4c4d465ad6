/** Ollama's information about its models and itself: https://docs.ollama.com/api/tags, …/api/show */

import type { JsonObject } from "../../base/json.ts";
import { ModelError } from "../../protocol/model-events.ts";
import { bodyOf, requiredText } from "../ask-fields.ts";
import type { OfferedModel, ToldRoute } from "../model-list.ts";
import { presentJson } from "../present.ts";

/** The version of Ollama's API spoken here: clients query it to learn what they may send. */
const version = "0.12.6";

export const told: readonly ToldRoute[] = [
  { method: "GET", path: "/api/version", tell: () => ({ version }) },
  {
    method: "GET",
    path: "/api/tags",
    tell: (_, teller) => ({ models: teller.models().map(modelJson) }),
  },
  { method: "GET", path: "/api/ps", tell: () => ({ models: [] }) },
  {
    method: "POST",
    path: "/api/show",
    async tell({ body }, teller) {
      const { model, name } = bodyOf(body);
      return modelRecord(await teller.describe(requiredText(model ?? name, "model")));
    },
  },
  {
    method: "POST",
    path: "/api/generate",
    tell() {
      throw new ModelError("unknown-path", "There is no /api/generate here: ask /api/chat, with messages.");
    },
  },
];

const details = (): JsonObject => ({
  parent_model: "",
  format: "",
  family: "toolwright",
  families: ["toolwright"],
  parameter_size: "",
  quantization_level: "",
});

/** There are no weights here, so the size is zero and the digest empty. */
const modelJson = ({ name, created }: OfferedModel): JsonObject => ({
  name,
  model: name,
  modified_at: new Date(created).toISOString(),
  size: 0,
  digest: "",
  details: details(),
});

const modelRecord = ({ name, created, contextTokens, sees, thinks }: OfferedModel): JsonObject => ({
  modelfile: "",
  parameters: "",
  template: "",
  details: details(),
  model_info: presentJson({
    "general.architecture": "toolwright",
    "general.basename": name,
    "toolwright.context_length": contextTokens,
  }),
  capabilities: [
    "completion",
    "tools",
    ...(sees === false ? [] : ["vision"]),
    ...(thinks === true ? ["thinking"] : []),
  ],
  modified_at: new Date(created).toISOString(),
});
