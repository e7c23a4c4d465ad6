/** /verbose: how much is said of why things happen, and a checklist of what can go wrong with a model's calls (B14). */

import { diagnose, type Diagnosis } from "../../view/diagnosis.ts";
import { columns } from "../cli-context.ts";
import type { Talk } from "./talk.ts";

export async function verbose(talk: Talk, rest: string): Promise<void> {
  const { terminal, style, session } = talk;
  const wanted = /^(on|off)$/iu.exec(rest)?.[0].toLowerCase();
  if (rest !== "" && wanted === undefined)
    return terminal.note("/verbose on, /verbose off, or /verbose for the checklist.");
  if (wanted !== undefined) {
    talk.context.verbose = wanted === "on";
    terminal.setVerbose(talk.context.verbose);
    return terminal.note(
      wanted === "on"
        ? "The reason of each decision and what was repaired are shown from here on."
        : "Reasons are no longer shown.",
    );
  }
  const found = await diagnose(session.log.read(0));
  terminal.note(
    `Reasons of decisions are ${talk.context.verbose ? "shown" : "not shown"}: /verbose ${talk.context.verbose ? "off" : "on"} changes that.`,
    "What can go wrong with a model's calls, and how often it has in this session:",
  );
  terminal.quote(
    ...columns(found.map(rowOf)).map((line, at) => (found[at]?.count === 0 ? style.dim(line) : line)),
  );
  const helped = found.filter(({ count }) => count > 0);
  terminal.note(
    ...helped.map(({ code, advice }) => `${code}: ${advice}`),
    ...(helped.length === 0 ? ["Nothing of this has happened here."] : []),
    style.dim("In a shell: toolwright inspect calls --verbose < answer.txt shows how one answer is read."),
  );
}

const rowOf = ({ code, symptom, count }: Diagnosis): string[] => [
  `  ${count === 0 ? "·" : "!"}`,
  String(count),
  code,
  symptom,
];
