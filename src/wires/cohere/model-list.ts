/** Cohere's list of models: https://docs.cohere.com/reference/list-models */

import type { ToldRoute } from "../model-list.ts";
import { presentJson } from "../present.ts";

export const told: readonly ToldRoute[] = [
  {
    method: "GET",
    path: "/v1/models",
    // OpenAI has the same path; only Cohere's clients send an endpoint, or the name of its library.
    isAsked: ({ query, header }) =>
      query.has("endpoint") || header("x-fern-sdk-name")?.startsWith("cohere") === true,
    tell: (_, teller) => ({
      models: teller
        .models()
        .map(({ name, contextTokens }) =>
          presentJson({ name, endpoints: ["chat"], context_length: contextTokens }),
        ),
    }),
  },
];
