/** What a headless run prints, in each of its output formats. */

import { visibleLine } from "../../base/visible-text.ts";
import { encodeEntry } from "../../protocol/codec.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { CheckedAnswer } from "../../runtime/checked-answer.ts";
import { type CliContext } from "../cli-context.ts";
import { HeadlessPrinter } from "./printer.ts";
import { runVersion } from "./run-version.ts";
import type { InputRefused, RunResult } from "./schemas.ts";

/** How a run ended, for each format. */
type RunEnd = {
  result: RunResult;
  /** The last line for people; `ending`: what stopped the last turn, changed and was verified. */
  line: (ending: readonly string[]) => string;
  /** What was checked by a schema; `null`: nothing fits it. */
  answer?: CheckedAnswer | null;
  goOn?: string | undefined;
  /** The line begins with why the run did not end as its last turn did. */
  hasOwnReason?: boolean;
};

export type HeadlessOutput = {
  show(event: Entry | Signal): void;
  /** One of several requests has ended. */
  requestEnded(result: RunResult): void;
  refused(line: Omit<InputRefused, "version" | "type">): void;
  end(how: RunEnd): void;
};

export function outputOf({ terminal, settings }: CliContext): HeadlessOutput {
  const print = (line: object): void => terminal.print(`${JSON.stringify(line)}\n`);
  const silent = { show: () => undefined, requestEnded: () => undefined, refused: () => undefined };
  switch (settings.output) {
    case "json":
      return { ...silent, end: ({ result }) => print(result) };
    case "stream-json": {
      const showsSignals = settings.partial || settings.verbose;
      return {
        show: (event) => {
          if ("seq" in event) terminal.print(`${encodeEntry(event)}\n`);
          else if (showsSignals) print({ version: runVersion, ...event });
        },
        requestEnded: (result) => print({ type: "request-end", ...result }),
        refused: (line) => print({ version: runVersion, type: "input-refused", ...line }),
        end: ({ result }) => print({ type: "run-end", ...result }),
      };
    }
    case "text": {
      const printer = new HeadlessPrinter(terminal, settings.verbose ? "reasons" : "usual");
      return {
        ...silent,
        show: (event) => printer.show(event),
        end: ({ line, answer, goOn, hasOwnReason }) => {
          const ending = printer.ending(hasOwnReason ? "without its reason" : "with its reason");
          printer.close(answer);
          if (terminal.outputGone.aborted) return;
          terminal.report(`${line(ending)}\n`);
          if (goOn !== undefined) terminal.report(`To go on: ${visibleLine(goOn)}\n`);
        },
      };
    }
    default:
      return settings.output satisfies never;
  }
}
