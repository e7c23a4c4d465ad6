/** Anthropic's model lists and token counting: https://platform.claude.com/docs/en/api/models-list */

import type { JsonObject } from "../../base/json.ts";
import { withMessages } from "../ask-fields.ts";
import { restOfPath, type ClientRequest, type OfferedModel, type ToldRoute } from "../model-list.ts";
import { presentJson } from "../present.ts";
import { decodeAsk } from "./request.ts";

/** OpenAI has the same paths; only Anthropic's clients send a version header. */
const isAsked = ({ header }: ClientRequest): boolean => header("anthropic-version") !== undefined;

export const told: readonly ToldRoute[] = [
  {
    method: "GET",
    path: "/v1/models",
    isAsked,
    tell(_, teller) {
      const data = teller.models().map(modelJson);
      const ids = data.map(({ id }) => id ?? null);
      return { data, has_more: false, first_id: ids.at(0) ?? null, last_id: ids.at(-1) ?? null };
    },
  },
  {
    method: "GET",
    path: "/v1/models/:name{.+}",
    isAsked,
    tell: async ({ path }, teller) => modelJson(await teller.describe(restOfPath(path, "/v1/models/") ?? "")),
  },
  {
    method: "POST",
    path: "/v1/messages/count_tokens",
    tell: async ({ body }, teller) => ({
      input_tokens: await teller.count(withMessages(decodeAsk(body).ask, "messages")),
    }),
  },
];

const modelJson = ({ name, created, contextTokens }: OfferedModel): JsonObject =>
  presentJson({
    type: "model",
    id: name,
    display_name: name,
    created_at: new Date(created).toISOString(),
    max_input_tokens: contextTokens,
  });
