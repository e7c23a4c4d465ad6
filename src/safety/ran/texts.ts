/** Extracts what a file runs or loads from its text, for the few languages where that is possible. */

import { basename } from "node:path";
import { isJsonObject, type Json, parseObject } from "../../base/json.ts";

/**
 * `lines`: shell command lines. `names`: paths relative to the file, without extensions. Undefined: the type of file is
 * not understood.
 */
type TextMentions = { lines: readonly string[]; names: readonly string[] };

/** `words`: of the command that runs the file, including the names of tasks. */
export function toldBy(path: string, text: string, words: ReadonlySet<string>): TextMentions | undefined {
  const name = basename(path);
  if (/^(?:package|composer)\.json$/u.test(name)) return { lines: scriptsIn(text, words), names: [] };
  if (/^(?:GNUmakefile|makefile|\.?justfile|.*\.(?:mk|just))$/iu.test(name))
    return { lines: recipesIn(text), names: includedIn(text) };
  if (name.startsWith("Taskfile.")) return { lines: commandsIn(text), names: [] };
  const language = languageOf(name, text);
  if (language === "shell") return { lines: [withoutNotes(text)], names: [] };
  if (language === "javascript") return { lines: [], names: relativeIn(text) };
  if (language === "python") return { lines: [], names: modulesIn(text) };
  return text.trim() !== "" && !dataEndings.test(name) ? undefined : { lines: [], names: [] };
}

const dataEndings = /\.(?:json|jsonc|ya?ml|toml|ini|cfg|txt|md|lock|npmrc|yarnrc)$/u;

function languageOf(name: string, text: string): "shell" | "javascript" | "python" | undefined {
  if (/\.(?:ba|da|k|z)?sh$/u.test(name)) return "shell";
  if (/\.[cm]?[jt]sx?$/u.test(name)) return "javascript";
  if (name.endsWith(".py")) return "python";
  const [, program = ""] = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)/u.exec(text) ?? [];
  if (/^(?:ba|da|k|z)?sh$/u.test(basename(program))) return "shell";
  if (/^(?:node|tsx|deno|bun|ts-node)$/u.test(basename(program))) return "javascript";
  return basename(program).startsWith("python") ? "python" : undefined;
}

/** The scripts that the words name, with the pre- and post-scripts of each. */
function scriptsIn(text: string, words: ReadonlySet<string>): string[] {
  const json = parseObject(text);
  const scripts = json.ok ? json.value["scripts"] : undefined;
  if (scripts === undefined || !isJsonObject(scripts)) return [];
  const installs = [...words].some((word) => /^(?:install|i|ci|add|link|pack|publish)$/u.test(word));
  const named = [...words, ...(words.has("t") ? ["test"] : []), ...(installs ? onInstall : [])];
  return named
    .flatMap((name) => [`pre${name}`, name, `post${name}`])
    .flatMap((name) => (Object.hasOwn(scripts, name) ? linesOf(scripts[name]) : []));
}

const onInstall = ["install", "prepare", "pack", "publish"];

function linesOf(script: Json | undefined): string[] {
  if (typeof script === "string") return [script];
  return Array.isArray(script) ? script.filter((line) => typeof line === "string") : [];
}

/** Every indented line, whatever its target: dependencies between targets are not resolved. */
const recipesIn = (text: string): string[] =>
  text
    .replaceAll("\\\n", " ")
    .split("\n")
    .flatMap((line) => /^[\t ]+[@+-]*(?<recipe>[^#\s].*)$/u.exec(line)?.groups?.["recipe"] ?? [])
    .map((line) =>
      line
        .replaceAll(/\$\(shell\s/gu, "$(")
        .replaceAll(/\$\((\w+)\)/gu, "${$1}")
        .replaceAll("$$", "$"),
    );

const includedIn = (text: string): string[] =>
  text
    .split("\n")
    .flatMap(
      (line) =>
        /^-?s?(?:include|import)\s+(.+)$/u.exec(line)?.[1]?.replaceAll(/['"]/gu, "").split(/\s+/u) ?? [],
    );

/** Items of YAML lists, and the values of `cmd:`. */
const commandsIn = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => /^\s+(?:-\s|(?:cmd|sh):\s)/u.test(line))
    .map((line) => line.replace(/^\s+(?:-\s+)?(?:(?:cmd|sh):\s*)?/u, "").replaceAll(/^["']|["']$/gu, ""));

/** Removes comments, and here-documents that no shell or interpreter reads. */
function withoutNotes(text: string): string {
  const lines: string[] = [];
  let end: string | undefined;
  for (const line of text.split("\n")) {
    if (end !== undefined) {
      if (line.trim() === end) end = undefined;
      continue;
    }
    if (/^\s*#/u.test(line)) continue;
    lines.push(line);
    const [, mark] = /<<-?\s*["']?(\w+)["']?/u.exec(line) ?? [];
    if (mark !== undefined && /^\s*(?:cat|tee|read)\b|\$\(cat\b/u.test(line)) end = mark;
  }
  return lines.join("\n");
}

/** Quoted relative paths such as `"./x"`, anywhere in the text. */
const relativeIn = (text: string): string[] =>
  [...text.matchAll(/["'`](\.{1,2}\/[^"'`\n]{1,200})["'`]/gu)].map(([, name = ""]) => name);

/**
 * Words of the first line (`#!hooks/interpreter`) and of quoted texts in a program, which may name what it starts.
 */
export const spokenIn = (path: string, text: string): string[] => {
  const [, first = ""] = /^#!\s*(.*)/u.exec(text) ?? [];
  const language = languageOf(basename(path), text);
  const quoted =
    language === "javascript" || language === "python"
      ? [...text.matchAll(/["'`]([^"'`\n]{1,400})["'`]/gu)]
      : [];
  return [first, ...quoted.map(([, words = ""]) => words)].flatMap((words) => words.split(/[\s=;&|]+/u));
};

/** Python modules that may be beside the file or above it. */
const modulesIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+([\w, \t(]+)|import[ \t]+([\w., \t]+))/gmu,
    ),
  ].flatMap(([, from = "", taken = "", whole = ""]) => {
    const up = /^\.*/u.exec(from)?.[0].length ?? 0;
    const start = up > 1 ? "../".repeat(up - 1) : "";
    const base = from.slice(up).replaceAll(".", "/");
    const names = taken.split(/[\s,(]+/u).filter((name) => name !== "");
    const modules = whole.split(",").map((name) => name.trim().split(/\s/u)[0]?.replaceAll(".", "/") ?? "");
    return [base, ...names.map((name) => (base === "" ? name : `${base}/${name}`)), ...modules]
      .filter((name) => name !== "")
      .map((name) => start + name);
  });
