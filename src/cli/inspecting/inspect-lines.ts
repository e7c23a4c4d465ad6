/** `toolwright inspect … --jsonl`: many cases on standard input, one a line, and one report for each. */

import { type Expected, refuse } from "../../base/expected.ts";
import { jsonLine, jsonLines } from "../../base/json-lines.ts";
import { parseJson, type Json } from "../../base/json.ts";
import { complain, exitCodes, type CliContext } from "../cli-context.ts";

type CaseReader<Case> = {
  read: (json: Json) => Expected<Case>;
  report: (read: Case) => unknown;
};

/** In order; an unreadable line is complained about and skipped. */
export async function inspectLines<Case>(
  { terminal }: CliContext,
  { read, report }: CaseReader<Case>,
): Promise<number> {
  let count = 0;
  let bad = 0;
  for await (const line of jsonLines(terminal.input)) {
    count += 1;
    if (line.trim() === "") continue;
    const json = parseJson(line);
    const found = json.ok ? read(json.value) : refuse("it is not JSON");
    if (found.ok) terminal.print(`${jsonLine(await report(found.value))}\n`);
    else {
      bad += 1;
      complain(terminal, `Line ${count} cannot be inspected: ${found.problem}.`);
    }
    if (terminal.outputGone.aborted) break;
  }
  return bad === 0 ? exitCodes.done : exitCodes.failed;
}
