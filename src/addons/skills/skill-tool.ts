/** The tool through which a model reads a skill; until then it sees only names and descriptions. */

import * as z from "zod/mini";
import { looseName, resolveToolName } from "../../protocol/tool-name.ts";
import { defineTool, failedResult, type ToolResult, type Tool } from "../../tools/tool.ts";
import type { AddonDirectories } from "../part.ts";
import { skillBounds } from "./bounds.ts";
import type { FoundSkill } from "./find-skills.ts";

const limits = skillBounds;

export type SkillContext = Pick<AddonDirectories, "workspace" | "withheld"> & {
  /** The skills usable now, including those that only people call. */
  offered: () => readonly FoundSkill[];
  /** Names of skills that await a person's consent. */
  waiting: () => readonly string[];
  /** Reloads the skills. */
  loaded: () => Promise<unknown>;
};

const name = "skill";

/** Its summary is computed on access and lists the skills then offered. */
export function skillTool(context: SkillContext): Tool {
  const tool = defineTool({
    name,
    aliases: ["use_skill", "load_skill", "read_skill", "activate_skill"],
    argumentAliases: { name: ["skill", "skill_name", "command"], file: ["path", "file_path", "resource"] },
    summary: "",
    does: "read",
    input: {
      name: z.string().check(z.describe("Name of the skill")),
      file: z.optional(z.string().check(z.describe("One of its other files, instead of its text"))),
    },
    title: ({ name: skill, file }) => (file === undefined ? `Skill ${skill}` : `Skill ${skill}: ${file}`),
    run: async ({ name: wanted, file }) => {
      await context.loaded();
      const found = skillNamed(context.offered(), wanted);
      return found ? readSkill(found, context, file) : noSuchSkill(wanted, context);
    },
  });
  return {
    ...tool,
    get schema() {
      return tool.schema;
    },
    get summary() {
      return summaryOf(context.offered());
    },
  };
}

async function readSkill(skill: FoundSkill, context: SkillContext, file?: string): Promise<ToolResult> {
  const { loadSkill, loadSkillFile } = await import("./load-skill.ts");
  const isMain = file === undefined || file.trim() === "" || /^(?:\.\/)?skill\.md$/iu.test(file.trim());
  if (!isMain) return loadSkillFile(skill, file, context);
  return skill.hidden ? keptForPeople(skill) : loadSkill(skill, context);
}

/** Refuses only the main text: once a person has called the skill, that text refers to its other files. */
const keptForPeople = ({ name: kept }: FoundSkill): ToolResult =>
  failedResult(`The skill ${kept} is called by people alone: ask them to type /${kept}, or do without it.`);

export function skillNamed(among: readonly FoundSkill[], wanted: string): FoundSkill | undefined {
  const bare = wanted.trim().replace(/^\//u, "");
  const resolved = resolveToolName(
    bare,
    among.map((one) => one.name),
  );
  return among.find((one) => one.name === resolved);
}

function noSuchSkill(wanted: string, { offered, waiting }: SkillContext): ToolResult {
  const bare = looseName(wanted.trim().replace(/^\//u, ""));
  const held = waiting().find((one) => looseName(one) === bare);
  if (held !== undefined)
    return failedResult(
      `The skill ${held} has something to run, and waits until a person agrees to it: do without it.`,
    );
  const shown = offered().filter(({ hidden }) => !hidden);
  const names = shown.map((one) => one.name).join(", ");
  return failedResult(
    `There is no skill ${JSON.stringify(wanted.slice(0, 100))}. There are: ${names || "none"}.`,
  );
}

/** Truncates all descriptions to the same length if they would be too long in total. */
export function summaryOf(offered: readonly FoundSkill[]): string {
  const shown = offered.filter(({ hidden }) => !hidden);
  const names = shown.reduce((sum, one) => sum + one.name.length + 6, 0);
  const space = Math.max(0, limits.told.most - names);
  const all = shown.reduce((sum, one) => sum + one.description.length, 0);
  const most = all > space ? Math.floor(space / Math.max(1, shown.length)) : Infinity;
  const lines = shown.map((one) => {
    const words =
      one.description.length > most ? `${one.description.slice(0, Math.max(0, most - 1))}…` : one.description;
    return words === "" ? `- ${one.name}` : `- ${one.name}: ${words}`;
  });
  return [
    "Read the instructions of a skill before you do a task that its description fits. Skills:",
    ...lines,
  ].join("\n");
}

/**
 * Some models call a skill as if it were a tool: such a call reads the skill, whatever its arguments. `taken`: names of
 * real tools, which take precedence.
 */
export function toolsByName(context: SkillContext, taken: readonly string[]): Tool[] {
  const used = new Set(taken.map(looseName));
  return context.offered().flatMap((skill) => {
    const loose = looseName(skill.name);
    if (used.has(loose) || skill.hidden) return [];
    used.add(loose);
    return [toolOf(skill, context)];
  });
}

const toolOf = (skill: FoundSkill, context: SkillContext): Tool => ({
  name: skill.name,
  aliases: [],
  summary: skill.description,
  does: "read",
  deferred: true,
  schema: { type: "object", properties: {} },
  prepare: () => ({
    ok: true,
    value: { title: `Skill ${skill.name}`, paths: [], run: () => readSkill(skill, context) },
  }),
});
