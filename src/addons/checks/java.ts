/** Checks of projects built with Gradle or Maven: through the project's wrapper script, if it has one. */

import type { Check } from "./check.ts";
import type { CheckDirectory } from "./place.ts";

export const javaFiles: readonly string[] = [
  "build.gradle",
  "build.gradle.kts",
  "settings.gradle",
  "settings.gradle.kts",
  "pom.xml",
];

export function javaChecks({ names }: CheckDirectory): Check[] {
  const from = javaFiles.find((name) => names.has(name));
  if (from === undefined) return [];
  const checks =
    from === "pom.xml"
      ? commands(names.has("mvnw") ? "./mvnw -B" : "mvn -B", "compile")
      : commands(names.has("gradlew") ? "./gradlew" : "gradle", "assemble");
  return checks.map(({ kind, command }) => ({ kind, name: command, command, group: from }));
}

const commands = (program: string, build: string) => [
  { kind: "build" as const, command: `${program} ${build}` },
  { kind: "test" as const, command: `${program} test` },
];
