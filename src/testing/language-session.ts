/** A whole session with a fake language server, for a made-up language, that behaves as the test chooses. */

import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { onTestFinished } from "vitest";
import type { TrustItem } from "../addons/trust.ts";
import type { Entry } from "../protocol/facts.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { languageAddons, type LanguageOptions, testRow, uncontainedForTests } from "./languages.ts";
import { sessionForTest } from "./scripted-session.ts";
import type { TestSessionOptions } from "./session.ts";
import { temporaryWorkspace } from "./workspace.ts";

type LanguageSessionOptions = Partial<LanguageOptions> & {
  /** The server's behaviour: see `language-server.ts`. */
  way?: string;
  files?: Record<string, string>;
  session?: TestSessionOptions;
  answer?: "allow" | "deny";
};

/** Sends the first request and waits for its answer; `told` reads the server's log of what it received. */
export async function languageSession(
  script: readonly ScriptedAnswer[],
  options: LanguageSessionOptions = {},
) {
  const { way = "good", files, session: how, answer, ...rest } = options;
  const workspace = await temporaryWorkspace(files ?? { "a.bad": "one\n", "b.bad": "two\n" });
  onTestFinished(() => workspace.remove());
  const log = `${workspace.root}.log`;
  onTestFinished(() => rm(log, { force: true }));
  const seen = { warned: new Array<string>(), asked: new Array<TrustItem>() };
  const model = scriptedModel([
    ...script,
    ...Array.from({ length: 4 }, (): ScriptedAnswer => [{ say: "Done." }]),
  ]);
  const addons = languageAddons(
    {
      rows: [testRow(way, log)],
      workspace: workspace.root,
      path: dirname(process.execPath),
      contain: uncontainedForTests,
      ...rest,
    },
    seen,
  );
  const opened = await sessionForTest(model, { workspace, mode: "auto", addons, ...how });
  await opened.ask("go", answer);
  const told = async (): Promise<string[]> =>
    existsSync(log) ? (await readFile(log, "utf8")).trim().split("\n") : [];
  return { ...opened, results: resultTexts(opened.facts()), model, told, workspace, ...seen };
}

/** The result text of each call, as given to the model. */
export const resultTexts = (facts: readonly Entry[]): string[] =>
  facts.flatMap((fact) =>
    fact.type === "result"
      ? [fact.content.map((part) => (part.type === "text" ? part.text : "")).join("\n")]
      : [],
  );

export const writeCall = (path: string, content: string): ScriptedAnswer =>
  oneCall("write_file", { path, content });

export const oneCall = (call: string, input: Record<string, string | number>): ScriptedAnswer => [
  { call, with: input },
];
