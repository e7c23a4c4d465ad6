/** Finds the programs that a repository's own settings name, and answers each with a setting that runs none of them. */

import { join } from "node:path";
import type { Expected } from "../../base/expected.ts";
import { namesIn, statusOf } from "../on-disk.ts";
import { worktreesOf } from "./git-places.ts";
import { readPlain } from "./plain-repository.ts";

export type GitSetting = readonly [key: string, value: string];

/**
 * Which keys name programs, without their subsection, and what takes their place. `false` fails in plain sight: what a
 * filter should have changed must not be committed as it is.
 */
const answers: readonly (readonly [RegExp, string])[] = [
  [/^filter\.(?:clean|smudge|process)$/, ""],
  [/^diff\.textconv$/, "cat"],
  [/^interactive\.difffilter$/, "cat"],
  [/^pager\./, "cat"],
  [/^credential\.helper$/, ""],
  [/^(?:diff\.(?:external|command)|merge\.driver|gpg\.(?:program|defaultkeycommand))$/, "false"],
  [/^core\.(?:sshcommand|askpass|gitproxy|alternaterefscommand|editor)$/, "false"],
  [/^(?:sequence\.editor|lfs\.(?:path|command))$/, "false"],
  [/^(?:trailer|tar|difftool|mergetool|guitool|browser|man)\.(?:command|cmd|path|.*)$/, "false"],
];

/** Settings that name a program only when their value is one; a plain word is git's own. */
const perhaps = /^(?:alias\.|submodule\.update$)/;
const isGitsOwn = (value: string): boolean => /^"?[a-z]/i.test(value);

/** A later value does not take the place of the first one. */
const fixed = /^remote\.(?:uploadpack|receivepack|vcs)$/;

/** Refused if the settings lead to other files, which a command could write, or cannot be read line by line. */
export function withoutPrograms(directories: readonly string[]): Expected<GitSetting[]> {
  const settings = new Map<string, string>();
  for (const file of directories.flatMap(settingsFiles)) {
    if (statusOf(file) === undefined) continue;
    const keys = keysIn(readPlain(file) ?? "\\");
    if (keys === undefined) return refuse(`${file} cannot be understood`);
    for (const key of keys) {
      if (/^include(?:if)?\./.test(key.short)) return refuse(`${file} includes other files`);
      if (fixed.test(key.short)) return refuse(`${file} sets ${key.full}`);
      const answer = answerTo(key);
      if (answer === undefined) continue;
      settings.set(key.full, answer);
      if (key.short.startsWith("filter.")) settings.set(key.full.replace(/[^.]*$/, "required"), "true");
    }
  }
  return { ok: true, value: [...settings] };
}

/** Whether git itself starts what this key names; an alias is started by a person. */
export const namesProgram = (short: string): boolean =>
  short === "core.fsmonitor" ||
  short === "submodule.update" ||
  fixed.test(short) ||
  answers.some(([form]) => form.test(short));

function answerTo({ short, value }: Key): string | undefined {
  if (perhaps.test(short)) return isGitsOwn(value) ? undefined : "false";
  return answers.find(([form]) => form.test(short))?.[1];
}

/** Of a git directory, its worktrees and its submodules. */
export function settingsFiles(directory: string): string[] {
  const modules = namesIn(join(directory, "modules")).map((name) => join(directory, "modules", name));
  return [directory, ...worktreesOf(directory), ...modules].flatMap((place) =>
    ["config", "config.worktree"].map((name) => join(place, name)),
  );
}

type Key = {
  /** "section.subsection.key", and the same without the subsection. */
  full: string;
  short: string;
  value: string;
};

const header = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;

/** Undefined if a value goes on in the next line, or a line begins several sections: which one holds could not be told. */
export function keysIn(text: string): Key[] | undefined {
  const keys: Key[] = [];
  let [section, name]: readonly [string, string] = ["", ""];
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    if (line.endsWith("\\")) return undefined;
    const [whole = "", written = "", quoted] = header.exec(line) ?? [];
    if (whole !== "") [section, name] = sectionOf(written, quoted);
    const [, key, value = ""] = /^\s*([a-z][a-z0-9-]*)\s*(?:=\s*(.*))?/i.exec(line.slice(whole.length)) ?? [];
    if (key !== undefined) {
      const lower = key.toLowerCase();
      keys.push({ full: `${section}.${name}${lower}`, short: `${section}.${lower}`, value });
    } else if (!/^\s*(?:[#;].*)?$/.test(line.slice(whole.length))) return undefined;
  }
  return keys;
}

/** The subsection with a dot after it, or nothing. */
function sectionOf(written: string, quoted: string | undefined): readonly [string, string] {
  const [section = "", ...rest] = written.toLowerCase().split(".");
  const name = quoted?.replace(/\\(.)/g, "$1") ?? (rest.length > 0 ? rest.join(".") : undefined);
  return [section, name === undefined ? "" : `${name}.`];
}

/** Git commands that write files or take them in. */
const filtering =
  /\b(?:add|am|apply|checkout|cherry-pick|commit|merge|pull|rebase|reset|restore|revert|stash|switch)\b/u;

/** One line for the command's result, or none. */
export function unrunFilters(settings: readonly GitSetting[], line: string): string[] {
  const names = settings.flatMap(([key]) => /^filter\.(.*)\.required$/.exec(key)?.[1] ?? []);
  if (names.length === 0 || !filtering.test(line)) return [];
  return [
    `The filters that this repository's own settings name did not run (${names.join(", ")}), so git refuses the files that they are for. A person may approve the command to run in the open.`,
  ];
}

const refuse = (because: string): Expected<never> => ({
  ok: false,
  problem: `The git command was not run, because the sandbox cannot tell which programs git would run: ${because}. A person may approve it to run in the open.`,
});
