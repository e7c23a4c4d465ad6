/** A session of 2,000 parts: 1,000 rounds of a sentence and a read, in turns of twenty rounds. */

import type { Model } from "../../../src/providers/provider.ts";
import { type ScriptedAnswer, scriptedModel } from "../../../src/providers/scripted-model.ts";
import { openSqliteStore } from "../../../src/session/sqlite/sqlite.ts";
import { testSession } from "../../../src/testing/session.ts";
import { workspaceAt } from "../../../test/support/workspace-at.ts";

const rounds = 1_000;
const roundsPerTurn = 20;
const linesPerRead = 40;

const line = (_: unknown, at: number): string =>
  `export const price${at} = (count: number) => count * ${at};\n`;
export const longFiles = { "src/prices.ts": Array.from({ length: rounds + linesPerRead }, line).join("") };
/** Of its end. */
export const lastWords = (name: string): string =>
  `All of part ${rounds / roundsPerTurn} of ${name} is read.`;

export async function writeLongSession(database: string, workspace: string, name: string): Promise<void> {
  const store = openSqliteStore(database);
  let round = 0;
  const model: Model = {
    name: "scripted/long",
    contextTokens: undefined,
    notice: undefined,
    async *ask(prompt, signal) {
      round += 1;
      yield* scriptedModel([answerOf(round, name)]).ask(prompt, signal); // a new one each time, because it records its prompts
    },
  };
  const { ask, close } = await testSession(model, { store, workspace: workspaceAt(workspace), mode: "auto" });
  for (let part = 1; part <= rounds / roundsPerTurn; part += 1) await ask(`Read ${name}, part ${part}.`);
  await close();
  await store.close();
}

function answerOf(round: number, name: string): ScriptedAnswer {
  if (round % roundsPerTurn === 0)
    return [{ say: `All of part ${round / roundsPerTurn} of ${name} is read.` }];
  const lines = { path: "src/prices.ts", from: round, to: round + linesPerRead };
  return [
    { say: `Round ${round}: the next lines, to see what they cost.` },
    { call: "read_file", with: lines },
  ];
}
