/** Java and its tools. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger, loads, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { runsInstead } from "../interpreting.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";

const javaForm: OptionForm = {
  stopAtOperand: true,
  oneDash: true,
  long: namesIn(`cp classpath class-path jar p module-path m module add-modules add-exports add-opens
    add-reads upgrade-module-path source enable-native-access limit-modules d s h sourcepath processor
    processorpath processor-path bootclasspath extdirs encoding target release proc`),
};

export const java: readonly Program[] = [
  program("java javaw", runsClass, { kind: "interpreter", options: javaForm }),
  program(
    "javac javadoc kotlinc kotlinc-jvm scalac groovyc ecj",
    ({ operands, values, has }) => [
      ...reads(operands),
      ...replaces(values("d", "s", "h")),
      ...values("processorpath", "processor-path").flatMap(classPath),
      ...(has("script") ? operands.map((path) => loads(path)) : []),
    ],
    { checks: /^(?!javadoc)/u, kind: "builds", options: { ...javaForm, stopAtOperand: false } },
  ),
];

const classPath = (path: Word): Effect[] =>
  path.text
    .split(":")
    .filter((part) => part !== "")
    .map((part) => loads(withText(path, part)));

function* runsClass(use: Use): Iterable<Effect> {
  for (const option of use.options) yield* agent(option.name, option.value);
  yield* use.values("cp", "classpath", "class-path", "p", "module-path").flatMap(classPath);
  const archive = use.value("jar");
  if (archive) {
    yield /^https?:/u.test(archive.text)
      ? danger("critical", "it runs code from the network")
      : loads(archive);
    return;
  }
  for (const { text } of use.words)
    if (text.startsWith("@")) yield danger("high", "it takes its options from a file");
  const [main] = use.operands;
  if (main && /\.(?:java|jsh)$/u.test(main.text)) yield loads(main);
}

/** `-javaagent:x.jar`, `-XX:OnError=command`. */
function* agent(name: string, value: Word | undefined): Iterable<Effect> {
  const path = /^(?:javaagent|agentpath):(.*)$/su.exec(name)?.[1];
  if (path !== undefined) {
    const text = path.replace(/=.*$/su, "");
    yield loads({ text, isPattern: false, mayBeSeveral: false, carries: value?.carries ?? new Set() });
  }
  if (/^XX:On(?:Error|OutOfMemoryError)$/u.test(name) && value) yield* runsInstead(`-${name}`, value);
  if (/^agentlib:(?!jdwp)/u.test(name)) yield danger("high", "it loads machine code into the program");
}
