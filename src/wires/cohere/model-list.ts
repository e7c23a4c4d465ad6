/** Cohere's list of models: https://docs.cohere.com/reference/list-models */

import type { ToldRoute } from "../model-list.ts";
import { presentJson } from "../present.ts";

export const told: readonly ToldRoute[] = [
  {
    method: "GET",
    path: "/v1/models",
    // The path is OpenAI's as well; only Cohere's clients ask for an endpoint, or give its library's name.
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
