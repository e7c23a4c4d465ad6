import { expect, test } from "vitest";
import { keyVariables } from "./key-variables.ts";

test("variables that headers of a provider or tool server name are withheld like those that hold its key (D7)", () => {
  const names = keyVariables({
    providers: {
      one: { keyVariable: "LLM_ONE" },
      two: { headers: { "x-a": "${LLMACCESS}", "x-b": "Bearer ${LLMTWO:-none}", "x-c": "${USER}" } },
    },
    addons: {
      user: { mcpServers: { three: { url: "https://example.org", headers: { a: "Basic ${SERVED}" } } } },
      workspace: {},
    },
  });
  expect(names).toEqual(["LLM_ONE", "LLMACCESS", "LLMTWO", "SERVED"]);
});
