/** One call of a tool, as the agent would carry it out: for who writes tools. */

import type { JsonObject } from "../base/json.ts";
import type { ChangedFile, Entry, FactOf, Mode, Outcome } from "../protocol/facts.ts";
import { type Part, type Repair, textOf } from "../protocol/messages.ts";
import { scripted } from "../providers/scripted.ts";
import type { Tool } from "../tools/tool.ts";
import { testSession } from "./session.ts";
import { temporaryWorkspace } from "./workspace.ts";

/** What a call is tested with. */
export type TestToolOptions = {
  /** The arguments as a model writes them: other names and types are mended as they would be. */
  input: JsonObject;
  /** The name by which the model calls it; its own by default. */
  as?: string;
  /** The workspace: paths relative to it, written with "/", and their contents. */
  files?: Record<string, string>;
  /** The mode of the session; "ask" by default. */
  mode?: Mode;
  /** What a person answers where one is asked; "allow" by default. */
  answer?: "allow" | "deny";
  /** Tools that are there besides. */
  tools?: readonly Tool[];
};

/** What a call came to. */
export type TestedCall = {
  /** "invalid": the arguments could not be read, and `text` says why to the model. */
  outcome: Outcome;
  /** What the model is told, its texts joined. */
  text: string;
  content: readonly Part[];
  /** What people are shown; undefined where the call did not start. */
  title: string | undefined;
  /** How its arguments were mended, by code. */
  repairs: readonly Repair[];
  /** What a person was asked; undefined where nobody was. */
  asked: FactOf<"approval-asked"> | undefined;
  /** The files that it changed on disk. */
  changed: readonly ChangedFile[];
  /** Every file of the workspace afterwards. */
  files: Readonly<Record<string, string>>;
  /** All that happened, in order. */
  facts: readonly Entry[];
};

/**
 * Carries out one call in a temporary workspace and a session of its own: arguments mended and checked, decided on,
 * asked about, run, its changes made, its result told. The workspace is removed afterwards.
 */
export async function testTool(tool: Tool, options: TestToolOptions): Promise<TestedCall> {
  const { input, as = tool.name, files = {}, mode = "ask", answer = "allow", tools = [] } = options;
  const workspace = await temporaryWorkspace(files);
  try {
    const model = scripted([[{ call: as, with: input }], [{ say: "Done." }]]);
    const test = await testSession(model, { workspace, mode, tools: [...tools, tool] });
    try {
      await test.ask("Call it.", answer);
      const facts = [...test.facts()];
      const contents = await Promise.all(
        (await workspace.files()).map(async (path) => [path, await workspace.read(path)] as const),
      );
      return { ...calledIn(facts), files: Object.fromEntries(contents), facts };
    } finally {
      await test.close();
    }
  } finally {
    await workspace.remove();
  }
}

function calledIn(facts: readonly Entry[]): Omit<TestedCall, "files" | "facts"> {
  const of = <T extends Entry["type"]>(type: T): Extract<Entry, { type: T }>[] =>
    facts.filter((fact): fact is Extract<Entry, { type: T }> => fact.type === type);
  const [result] = of("result");
  if (!result) throw new Error("The call came to no result: the session ended before it.");
  const [start] = of("call-start");
  const content = result.content;
  return {
    outcome: result.outcome,
    text: textOf(content),
    content,
    title: start?.title,
    repairs: start?.repairs ?? of("call")[0]?.call.repairs ?? [],
    asked: of("approval-asked")[0],
    changed: of("change-applied").flatMap(({ changes }) => changes),
  };
}
