/** Runs one call of a tool as the agent would, for tool authors. */

import type { JsonObject } from "../base/json.ts";
import type { ChangedFile, Entry, FactOf, Mode, CallOutcome } from "../protocol/facts.ts";
import { type ContentPart, type Repair, textOf } from "../protocol/messages.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import type { Tool } from "../tools/tool.ts";
import { testSession } from "./session.ts";
import { temporaryWorkspace } from "./workspace.ts";

/** Options of `testTool`. @public */
export type TestToolOptions = {
  /** The arguments as a model writes them: other names and types are repaired as in a session. */
  input: JsonObject;
  /** The name by which the model calls the tool; the tool's own by default. */
  as?: string;
  /** The workspace: paths relative to it, written with "/", and their contents. */
  files?: Record<string, string>;
  /** The mode of the session; "ask" by default. */
  mode?: Mode;
  /** A person's answer to every question; "allow" by default. */
  answer?: "allow" | "deny";
  /** Additional tools in the session. */
  tools?: readonly Tool[];
};

/** The result of a tested call. @public */
export type TestedCall = {
  /** "invalid": the arguments could not be read; `text` is the reason given to the model. */
  outcome: CallOutcome;
  /** The result given to the model, its texts joined. */
  text: string;
  content: readonly ContentPart[];
  /** The title shown to people; undefined if the call did not start. */
  title: string | undefined;
  /** How its arguments were repaired, by code. */
  repairs: readonly Repair[];
  /** The approval that was requested; undefined if there was none. */
  asked: FactOf<"approval-asked"> | undefined;
  /** The files that the call changed on disk. */
  changed: readonly ChangedFile[];
  /** Every file of the workspace after the call. */
  files: Readonly<Record<string, string>>;
  /** All facts of the session, in order. */
  facts: readonly Entry[];
};

/**
 * Carries out one call in a temporary workspace and a new session: repairs and validates the arguments, decides, asks
 * for approval, runs the tool, applies its changes and reports the result. The workspace is removed afterwards. @public
 */
export async function testTool(tool: Tool, options: TestToolOptions): Promise<TestedCall> {
  const { input, as = tool.name, files = {}, mode = "ask", answer = "allow", tools = [] } = options;
  const workspace = await temporaryWorkspace(files);
  try {
    const model = scriptedModel([[{ call: as, with: input }], [{ say: "Done." }]]);
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
