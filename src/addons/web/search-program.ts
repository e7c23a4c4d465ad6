/** Searches the web through a program of the user's, and parses its output. */

import { figureOf } from "../../base/bound.ts";
import { otherProgramBounds, pageRequestBounds } from "../../base/bounds.ts";
import { parseJson } from "../../base/json.ts";
import { type ProcessOutcome, runProcess } from "../../base/process.ts";
import { plainOutput } from "../../base/terminal/plain-text.ts";
import { failedResult, ok, type ToolResult, type ToolContext } from "../../tools/tool.ts";
import { whyMissing } from "../missing-program.ts";
import { foundIn, foundInWords, type SearchHit } from "./search-hits.ts";

const { time } = pageRequestBounds;

export async function searchByProgram(
  command: readonly string[],
  query: string,
  { context, home }: { context: ToolContext; home: string },
): Promise<ToolResult> {
  const outcome = await runProcess({
    command: withQuery(command, query),
    cwd: home,
    env: context.environment,
    signal: context.signal,
    wallMs: time.most,
    maxKeep: otherProgramBounds.output.most,
    keepErrors: otherProgramBounds.output.most,
  });
  context.signal.throwIfAborted();
  const [program = ""] = command;
  const isMissing = outcome.problem !== undefined || outcome.exit === 127 || outcome.exit === 126;
  const missing = isMissing
    ? await whyMissing(program, { directory: home, env: context.environment })
    : undefined;
  if (missing !== undefined)
    return failedResult(
      `The web cannot be searched: ${missing}. It stands under \`webSearch.command\` in the configuration. Tell the user; do not try again.`,
    );
  const why = whyFailed(outcome);
  if (why !== undefined) return failedResult(`The search program (${program})${why}`);
  const printed = wordsIn(outcome.output);
  return ok(foundInWords(query, listIn(printed) ?? printed));
}

const wordsIn = ({ bytes }: ProcessOutcome["output"]): string =>
  plainOutput(Buffer.from(bytes).toString("utf8")).trim();

function whyFailed({ problem, timedOut, exit, output, errors }: ProcessOutcome): string | undefined {
  if (problem !== undefined) return `: ${problem} Tell the user.`;
  if (timedOut) return ` took longer than ${figureOf(time)}; it was stopped.`;
  if (exit === 0) return undefined;
  const said = (errors && wordsIn(errors)) || wordsIn(output);
  const how = exit === undefined ? "it was ended by a signal" : `exit code ${exit}`;
  return ` failed (${how})${said === "" ? ", and said nothing." : `: ${said.slice(-lastWords)}`}`;
}

/** Characters of error output to keep: the end is the most informative. */
const lastWords = 500;

/** Skips warnings printed before the JSON. */
function listIn(printed: string): SearchHit[] | undefined {
  const start = printed.search(/^[[{]/mu);
  const json = parseJson(printed.slice(Math.max(0, start)));
  return json.ok ? foundIn(json.value) : undefined;
}

/** Appends the query if the command has no placeholder. A leading dash must not make it an option. */
function withQuery(command: readonly string[], query: string): string[] {
  const place = "{query}";
  const all = command.some((argument) => argument.includes(place)) ? command : [...command, place];
  return all.map((argument) => {
    const filled = argument.replaceAll(place, () => query);
    return argument.startsWith(place) && query.startsWith("-") ? ` ${filled}` : filled;
  });
}
