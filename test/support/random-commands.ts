/** Random command lines over a small tree, of programs that name their files. */

import * as fc from "fast-check";
import type { ScriptedAnswer } from "../../src/providers/scripted-model.ts";

export const name = fc.constantFrom("a", "b", "d/a", "d/b", "d", "d/e/a", "d/e", "l", "d/l");
const text = fc.constantFrom("1", "'x y'", '"two"', "a");
const simple = fc.oneof(
  fc.tuple(text, name).map(([words, to]) => `echo ${words} > ${to}`),
  fc.tuple(text, name).map(([words, to]) => `printf %s ${words} >> ${to}`),
  fc.tuple(name, name).map(([from, to]) => `cat ${from} > ${to}`),
  fc.tuple(name, name).map(([from, to]) => `cp -f ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `sort -u -o ${to} ${from}`),
  fc.tuple(name, name).map(([from, to]) => `head -n1 < ${from} >> ${to}`),
  fc.tuple(fc.constantFrom("-f", "-d", "-s", "-x"), name).map(([is, at]) => `[ ${is} ${at} ]`),
  fc.tuple(name, name).map(([one, other]) => `test ${one} -ef ${other}`),
  fc.tuple(text, name).map(([words, at]) => `grep -c ${words} ${at}`),
  name.map((at) => `rm -rf ${at}`),
  name.map((at) => `mkdir -p ${at}`),
  name.map((at) => `truncate -s 1 ${at}`),
  name.map((at) => `cat <<'END' > ${at}\n$x\nEND\n`),
);
const joint = fc.constantFrom("; ", " && ", " || ");
/** Its files can all be told. */
export const namingLine = fc
  .array(fc.tuple(simple, joint), { minLength: 1, maxLength: 3 })
  .map((parts) =>
    parts
      .map(([part, joined], at) =>
        at === parts.length - 1 ? part : part.endsWith("\n") ? part : part + joined,
      )
      .join(""),
  );

/** The tree that they work on, as a command line makes it. */
export const tree = "mkdir -p d/e; echo a > a; echo b > b; echo da > d/a; echo ea > d/e/a; ln -s ../b d/l";

/** The second command has ended before the first one. */
export const aheadCalls: ScriptedAnswer = ["sleep 1000; echo 1 > one", "echo 2 > two"].map((command) => ({
  call: "run_command",
  with: { command },
}));
