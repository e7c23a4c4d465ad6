/**
 * Reads a workspace's configuration file, which never stops a start: a mistake is told. What it could have tightened
 * asks until it is mended, because nobody knows what it was to forbid.
 */

import * as z from "zod/mini";
import { isObject } from "../base/json.ts";
import type { CommandRow } from "../safety/dangers/data/row.ts";
import type { Rule } from "../safety/rules.ts";
import { checkedRule, type ConfigFile, readConfigFile } from "./config-file.ts";

export async function readWorkspaceFile(path: string, text: string): Promise<ConfigFile> {
  const told: string[] = [];
  const read = await readConfigFile(path, text, (file, { key, value, problem }) => {
    told.push(`${problem}: ${despite(file, key, value)}`);
    return undefined;
  });
  if (!read.ok) return unreadWorkspaceFile(path, read.problem);
  return { ...read.value, warnings: [...read.value.warnings, ...told] };
}

/** A file of which nothing can be read. */
export const unreadWorkspaceFile = (path: string, problem: string): ConfigFile => ({
  path,
  values: {},
  addons: {},
  rules: [asking("*")],
  warnings: [`${problem}: nothing of it is used, and every call asks until it is mended or removed`],
});

/** What holds in place of a key that cannot be read, and the words for it. */
function despite(file: ConfigFile, key: string, value: unknown): string {
  switch (key) {
    case "mode":
      file.leastMode = "ask";
      return "until it is mended, the mode is at least ask";
    case "rules":
      file.rules = Array.isArray(value) ? value.map(ruleDespite) : [asking("*")];
      return isRules(value)
        ? "all of these rules hold; mend it"
        : "until it is mended, what the rule may be about asks";
    case "autoApproveEdits":
      file.autoApproveEdits = { "**": false };
      return "until it is mended, every edit asks";
    case "programs":
      file.programs = Array.isArray(value) ? value.flatMap(rowDespite) : [];
      if (file.programs.length > 0) return "until it is mended, the programs that it names ask";
      return "it is ignored; mend or remove it";
    default:
      return "it is ignored; mend or remove it";
  }
}

const isRules = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => z.safeParse(checkedRule, one).success);

/** A rule without a condition that cannot be read would be about too much for a denial: it asks. */
function ruleDespite(value: unknown): Rule {
  const read = z.safeParse(checkedRule, value);
  if (read.success) return read.data;
  const tool = isObject(value) ? value["tool"] : undefined;
  return asking(typeof tool === "string" && tool !== "" ? tool : "*");
}

const rowDespite = (value: unknown): CommandRow[] => {
  const programs = isObject(value) ? value["programs"] : undefined;
  const does = "critical it is described by this workspace in words that are not understood";
  return typeof programs === "string" ? [{ programs, does }] : [];
};

const asking = (tool: string): Rule => ({ tool, decision: "ask" });
