/** Gemini's model lists and token counting: https://ai.google.dev/api/models */

import { isObject, type JsonObject } from "../../base/json.ts";
import { ModelError } from "../../protocol/model-events.ts";
import { withMessages } from "../ask-fields.ts";
import { type ClientRequest, restOfPath, type OfferedModel, type ToldRoute } from "../model-list.ts";
import { presentJson } from "../present.ts";
import { decodeAsk } from "./request.ts";

const versions = ["/v1beta", "/v1alpha", "/v1"] as const;
const counting = ":countTokens";

/**
 * In its latest version the paths equal OpenAI's; only Gemini's clients send a key of this name, or identify
 * themselves.
 */
const isAsked = ({ header, query }: ClientRequest): boolean =>
  ["x-goog-api-key", "x-goog-api-client"].some((name) => header(name) !== undefined) || query.has("key");

export const told: readonly ToldRoute[] = versions.flatMap((version): ToldRoute[] => [
  {
    method: "GET",
    path: `${version}/models`,
    ...(version === "/v1" ? { isAsked } : {}),
    tell: (_, teller) => ({ models: teller.models().map(modelJson) }),
  },
  {
    method: "GET",
    path: `${version}/models/:name{.+}`,
    ...(version === "/v1" ? { isAsked } : {}),
    tell: async ({ path }, teller) => modelJson(await teller.describe(modelNameIn(path, version))),
  },
  {
    method: "POST",
    path: `${version}/models/:name{.+}`,
    isAsked: ({ path }) => path.endsWith(counting),
    async tell({ path, body }, teller) {
      const model = modelNameIn(path.slice(0, -counting.length), version);
      const inner = isObject(body) ? (body["generateContentRequest"] ?? body) : body;
      return { totalTokens: await teller.count(withMessages(decodeAsk(inner, { model }).ask, "contents")) };
    },
  },
]);

function modelNameIn(path: string, version: string): string {
  const name = restOfPath(path, `${version}/models/`);
  if (name !== undefined) return name;
  throw new ModelError("unknown-model", "The path names no model.");
}

const modelJson = ({ name, contextTokens }: OfferedModel): JsonObject =>
  presentJson({
    name: `models/${name}`,
    version: "",
    displayName: name,
    inputTokenLimit: contextTokens,
    supportedGenerationMethods: ["generateContent", "countTokens"],
  });
