/** What the text of a file says that it runs or loads further on, in the few languages in which that can be told. */

import { basename } from "node:path";
import { isJsonObject, type Json, parseObject } from "../../base/json.ts";

/**
 * `lines`: for a shell. `names`: as the file itself would find them, without endings. Undefined: of such a file nothing
 * can be told.
 */
type Told = { lines: readonly string[]; names: readonly string[] };

/** `words`: those of the command that runs it, among which the names of tasks are. */
export function toldBy(path: string, text: string, words: ReadonlySet<string>): Told | undefined {
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

/** Those that the words name, with what runs before and after each. */
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

/** Every indented line: which targets another one needs is not followed. */
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

/** The lines of lists in YAML, and of `cmd:`. */
const commandsIn = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => /^\s+(?:-\s|(?:cmd|sh):\s)/u.test(line))
    .map((line) => line.replace(/^\s+(?:-\s+)?(?:(?:cmd|sh):\s*)?/u, "").replaceAll(/^["']|["']$/gu, ""));

/** Without comments, and without texts that no shell and no interpreter is given to read. */
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

/** `"./x"`, wherever it stands. */
const relativeIn = (text: string): string[] =>
  [...text.matchAll(/["'`](\.{1,2}\/[^"'`\n]{1,200})["'`]/gu)].map(([, name = ""]) => name);

/** Modules that may lie beside it or above. */
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
