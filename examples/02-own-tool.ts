/**
 * Your own tool next to Toolwright's: the model calls it by another name and with wrong types, and the call still
 * works.
 */

import { deepEqual, equal } from "node:assert/strict";
import { defineTool, ok, tools } from "toolwright";
import { scriptedModel, testSession } from "toolwright/testing";
import * as z from "zod/mini";

const asked: { city: string; days: number }[] = [];

const forecast = defineTool({
  name: "forecast",
  aliases: ["weather"],
  argumentAliases: { city: ["town"] },
  does: "read",
  summary: "Tell the weather of the next days in a city.",
  input: { city: z.string(), days: z.int() },
  title: ({ city, days }) => `Forecast for ${city}, ${days} days`,
  async run({ city, days }) {
    asked.push({ city, days });
    return ok(`Sunny in ${city} for ${days} days.`);
  },
});

// The model calls the tool by another name and passes the number as a string.
const model = scriptedModel([
  [{ call: "weather", with: { town: "Lisbon", days: "3" } }],
  [{ say: "It stays sunny in Lisbon." }],
]);
const { session, facts, ask, close } = await testSession(model, { tools: [...tools, forecast] });

await ask("How will the weather be in Lisbon?");

deepEqual(asked, [{ city: "Lisbon", days: 3 }]);
const result = facts().find((fact) => fact.type === "result");
equal(result?.type === "result" && result.outcome, "ok");
console.log("The tool was asked for", asked[0], "and the model said:", session.state.turns[0]?.text);
await close();
