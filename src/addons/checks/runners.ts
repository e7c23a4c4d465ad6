/**
 * Checks that a project defines itself: scripts of its manifest, targets of its makefile, tasks. One row per runner.
 */

import { isObject, parseJson } from "../../base/json.ts";
import { type Check, isPlainName, kindOf } from "./check.ts";
import type { CheckDirectory } from "./place.ts";

/** Reads the first of `files` that is present. `command` turns a name into a command line. */
type Runner = {
  files: readonly string[];
  names: (text: string) => readonly string[];
  command: (name: string, place: CheckDirectory) => string;
};

export function namedChecks(place: CheckDirectory): Check[] {
  return runners.flatMap(({ files, names, command }) => {
    const from = files.find((file) => place.names.has(file));
    if (from === undefined) return [];
    return names(place.read(from))
      .filter(isPlainName)
      .flatMap((name) => {
        const kind = kindOf(name);
        return kind === undefined ? [] : [{ kind, name, command: command(name, place), group: from }];
      });
  });
}

/** Manifests that exist but cannot be parsed. */
export const damagedIn = (place: CheckDirectory): string[] =>
  ["package.json", "composer.json"].filter(
    (file) => place.names.has(file) && !parseJson(place.read(file)).ok,
  );

/** Every file name that some runner reads. */
export const runnerFiles = (): readonly string[] => runners.flatMap(({ files }) => files);

const runners: readonly Runner[] = [
  {
    files: ["package.json"],
    names: (text) => namesOf(text, "scripts", isRealScript),
    command: (name, place) => {
      const manager = managerOf(place);
      // `bun test` would start Bun's own test runner.
      return name === "test" && manager !== "bun" ? `${manager} test` : `${manager} run ${name}`;
    },
  },
  {
    files: ["deno.json", "deno.jsonc"],
    names: (text) => namesOf(withoutComments(text), "tasks"),
    command: (name) => `deno task ${name}`,
  },
  {
    files: ["composer.json"],
    names: (text) => namesOf(text, "scripts"),
    command: (name) => `composer run-script ${name}`,
  },
  {
    files: ["GNUmakefile", "makefile", "Makefile"],
    names: (text) =>
      findMatches(text, /^([A-Za-z0-9][\w./ \t-]{0,199}):(?!=)/gmu).flatMap((targets) =>
        targets.split(/[ \t]+/u),
      ),
    command: (name) => `make ${name}`,
  },
  {
    files: ["justfile", "Justfile", ".justfile"],
    names: recipesIn,
    command: (name) => `just ${name}`,
  },
  {
    files: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"],
    names: (text) =>
      findMatches(text.slice(Math.max(0, text.search(/^tasks:/mu))), /^ {2}(["']?)([\w:.-]{1,99})\1:/gmu, 2),
    command: (name) => `task ${name}`,
  },
  {
    files: ["mise.toml", ".mise.toml"],
    names: (text) => [
      ...findMatches(text, /^\[tasks\.(["']?)([\w:.-]{1,99})\1\]/gmu, 2),
      ...findMatches(tableIn(text, "tasks"), /^(["']?)([\w:.-]{1,99})\1\s*=/gmu, 2),
    ],
    command: (name) => `mise run ${name}`,
  },
  {
    files: ["Rakefile", "rakefile", "Rakefile.rb"],
    names: (text) => [
      ...findMatches(text, /^\s{0,20}(?:task|[A-Z][\w:]{0,60}Task\.new)[ (]+:?["']?(\w{1,99})/gmu),
      ...(/^\s{0,20}Rake::TestTask\.new(?!\s*\(?\s*[:"'])/mu.test(text) ? ["test"] : []),
    ],
    command: (name, place) => `${place.isAbove("Gemfile.lock") ? "bundle exec " : ""}rake ${name}`,
  },
];

const findMatches = (text: string, pattern: RegExp, group = 1): string[] => [
  ...new Set([...text.matchAll(pattern)].map((match) => match[group] ?? "")),
];

/** Recipes that run without arguments: every parameter has a default or is optional. */
function recipesIn(text: string): string[] {
  const recipes = [...text.matchAll(/^@?([A-Za-z_][\w-]{0,99})((?:[ \t][^:\n]{0,200})?):(?!=)/gmu)];
  return recipes.flatMap(([, name = "", parameters = ""]) => {
    const needed = parameters.split(/[ \t]+/u).filter((one) => one !== "" && !/^\*|=/u.test(one));
    return needed.length === 0 ? [name] : [];
  });
}

/** The text of one table of a TOML file. */
function tableIn(text: string, name: string): string {
  const [, after = ""] = text.split(new RegExp(`^\\[${name}\\][ \\t]*$`, "mu"));
  return after.split(/^\[/mu)[0] ?? "";
}

/** Removes what settings files add to JSON: comments and trailing commas. */
const withoutComments = (text: string): string =>
  text
    .replaceAll(/("(?:[^"\\\n]|\\.)*"?)|\/\/.*|\/\*[^]*?\*\//gu, (_, kept?: string) => kept ?? "")
    .replaceAll(/("(?:[^"\\\n]|\\.)*"?)|,(?=\s*[\]}])/gu, (_, kept?: string) => kept ?? "");

/** The keys of an object in a JSON file. */
function namesOf(text: string, key: string, isMeant: (value: unknown) => boolean = () => true): string[] {
  const json = parseJson(text);
  const scripts = json.ok && isObject(json.value) ? json.value[key] : undefined;
  return isObject(scripts) ? Object.keys(scripts).filter((name) => isMeant(scripts[name])) : [];
}

/** Excludes the placeholder of `npm init`, and watchers, which never end. */
const isRealScript = (script: unknown): boolean =>
  typeof script === "string" && !/^echo\s.{0,60}no test specified|\s--watch(?:All)?(?=\s|$)/iu.test(script);

const lockFiles: readonly (readonly [file: string, manager: string])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
];

/** The package manager that the manifest names, or whose lock file is present. */
function managerOf(place: CheckDirectory): string {
  const json = parseJson(place.read("package.json"));
  const told = json.ok && isObject(json.value) ? json.value["packageManager"] : undefined;
  const named = typeof told === "string" ? told.split("@")[0] : undefined;
  const asked = lockFiles.find(([, one]) => one === named);
  return (asked ?? lockFiles.find(([file]) => place.isAbove(file)))?.[1] ?? "npm";
}
