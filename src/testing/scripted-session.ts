/** Sessions that close when their test ends, and queries on their facts. */

import { onTestFinished } from "vitest";
import type { Entry, FactOf, FactType } from "../protocol/facts.ts";
import type { Model } from "../providers/provider.ts";
import { type ModelScript, scriptedModel, type ScriptedModel } from "../providers/scripted-model.ts";
import { type TestSession, testSession, type TestSessionOptions } from "./session.ts";

/** A whole session for the current test, closed afterwards in whatever state it is. */
export async function sessionForTest(model: Model, options: TestSessionOptions = {}): Promise<TestSession> {
  const opened = await testSession(model, options);
  onTestFinished(() => opened.close().catch(() => undefined));
  return opened;
}

/** A session for the current test whose model plays a script. */
export async function scriptedSession(
  script: ModelScript,
  options: TestSessionOptions = {},
): Promise<TestSession & { model: ScriptedModel }> {
  const model = scriptedModel(script);
  return { ...(await sessionForTest(model, options)), model };
}

/** The facts of one type, in order. */
export const factsOf = <T extends FactType>(facts: readonly Entry[], type: T): (FactOf<T> & Entry)[] =>
  facts.filter((fact): fact is FactOf<T> & Entry => fact.type === type);

export const resultsOf = (facts: readonly Entry[]): (FactOf<"result"> & Entry)[] => factsOf(facts, "result");

export const outcomesOf = (facts: readonly Entry[]): string[] =>
  resultsOf(facts).map(({ outcome }) => outcome);

/** The text of all results given to the model, joined for searching. */
export const toldIn = (facts: readonly Entry[]): string =>
  JSON.stringify(resultsOf(facts).map(({ content }) => content));

export const typesOf = (facts: readonly Entry[]): string[] => facts.map(({ type }) => type);

/** The end of the newest finished turn. */
export const endOf = (facts: readonly Entry[]): (FactOf<"turn-end"> & Entry) | undefined =>
  factsOf(facts, "turn-end").at(-1);
