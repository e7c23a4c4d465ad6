/** Makes the dialect of a family whose calls are JSON objects between marks, one in each pair of them or all in one list. */

import { heldJson } from "../constraint/held-form.ts";
import type { MarkedDialect, WrittenCall } from "../dialect.ts";
import { resultsInTags } from "./lesson.ts";
import { taggedJson, type JsonTags } from "./tagged-json.ts";
import { callObject, listRules, objectRules } from "./template-json.ts";

type JsonFamily = Omit<Partial<MarkedDialect>, "lesson" | "read"> &
  Pick<MarkedDialect, "name"> & {
    readonly opener: string;
    /** None: the calls end by themselves. */
    readonly closer?: string;
    /** What stands before the first, between two, and behind the last of the calls in one list. */
    readonly list?: readonly [open: string, between: string, close: string];
    /** White space around a call that stands in marks of its own. */
    readonly gap?: string;
    /** A call as JSON, where it is not `{"name": …, "arguments": {…}}`. */
    readonly objectOf?: (call: WrittenCall, index: number) => string;
    readonly rules?: readonly string[];
    /** Its own part of the lesson beside the rules. */
    readonly form?: string;
    /** What is tolerated in reading. */
    readonly reads?: Partial<Omit<JsonTags, "openers" | "begins">>;
  };

export function jsonDialect(family: JsonFamily): MarkedDialect {
  const { opener, closer = "", list, gap = "", objectOf, reads, ...rest } = family;
  const { form, rules = list ? listRules : objectRules(opener), ...traits } = rest;
  const [open, close] = list ? [list[0], list[2]] : [gap, closer === "" ? "" : gap];
  const within = (text: string): string => opener + open + text + close + closer;
  const written = (calls: readonly WrittenCall[]): string[] => calls.map(objectOf ?? callObject);
  return {
    tier: "tagged",
    ...taggedJson(opener, { ...reads, closers: [closer, ...(reads?.closers ?? [])].filter(Boolean) }),
    ...(objectOf ? {} : { held: heldJson(opener + open, close + closer) }),
    ...resultsInTags,
    lesson: { rules, ...(form === undefined ? {} : { form }) },
    writeCalls: (calls) =>
      list ? within(written(calls).join(list[1])) : written(calls).map(within).join("\n"),
    ...traits,
  };
}
