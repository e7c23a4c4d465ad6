/** OpenAI's lists of models, for both of its formats: https://platform.openai.com/docs/api-reference/models */

import type { JsonObject } from "../../base/json.ts";
import { restOfPath, type OfferedModel, type ToldRoute } from "../model-list.ts";
import { presentJson } from "../present.ts";

export const told: readonly ToldRoute[] = ["/v1/models", "/models"].flatMap((path): ToldRoute[] => [
  {
    method: "GET",
    path,
    tell: (_, teller) => ({ object: "list", data: teller.models().map(modelJson) }),
  },
  {
    method: "GET",
    path: `${path}/:name{.+}`,
    tell: async (question, teller) =>
      modelJson(await teller.describe(restOfPath(question.path, `${path}/`) ?? "")),
  },
]);

/** The format has no field for the context window; most compatible servers use this name. */
const modelJson = ({ name, created, contextTokens }: OfferedModel): JsonObject =>
  presentJson({
    id: name,
    object: "model",
    created: Math.floor(created / 1000),
    owned_by: "toolwright",
    context_length: contextTokens,
  });
