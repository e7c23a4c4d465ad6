/** Makes the dialect of a family whose calls are in Python's form between two marks. */

import type { CallVerdict, MarkedDialect } from "../dialect.ts";
import { readCallBlock } from "./call-block.ts";
import { pythonRules, writePythonCalls, type PythonStyle } from "./python-call.ts";
import type { CallsOptions, WrittenCalls } from "./written-calls.ts";

type PythonFamily = Omit<MarkedDialect, "openers" | "read" | "lesson" | "writeCalls"> & {
  readonly opener: string;
  readonly closer: string;
  readonly begins: (ahead: string) => CallVerdict;
  readonly body: (text: string, options: CallsOptions) => WrittenCalls;
  /** What stands before the first, between two, and behind the last of the calls. */
  readonly list: readonly [open: string, between: string, close: string];
  readonly style: PythonStyle;
  readonly several: string;
  readonly resultRules?: readonly string[];
};

export function pythonDialect(family: PythonFamily): MarkedDialect {
  const { opener, closer, begins, body, list, style, several, resultRules, ...traits } = family;
  const [open, between, close] = list;
  return {
    ...traits,
    openers: [{ mark: opener, begins }],
    lesson: {
      form: { parameter: "value", other_parameter: 1 },
      rules: [...pythonRules, `Several calls: ${several}`],
      ...(resultRules ? { resultRules } : {}),
    },
    writeCalls: (calls) => opener + open + writePythonCalls(calls, style).join(between) + close + closer,
    *read(reader) {
      yield* readCallBlock(reader, {
        closers: [closer],
        trailing: [closer],
        endings: [opener],
        read: (text, closed) => body(text, { offered: reader.offered, closed }),
      });
    },
  };
}
