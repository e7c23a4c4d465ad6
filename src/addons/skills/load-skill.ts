/** Builds what the model reads of a skill: its text, its folder, and a list of the other files. */

import { join, relative } from "node:path";
import { sizeInWords } from "../../base/amounts.ts";
import { isWithin } from "../../base/paths.ts";
import { failedResult, ok, type ToolResult } from "../../tools/tool.ts";
import { cutWords, readAdded } from "../added-text.ts";
import { addedTextBounds } from "../bounds.ts";
import type { AddonDirectories } from "../part.ts";
import type { Skill } from "./definition.ts";
import { withCommandsToRun } from "./expand.ts";
import { readHead } from "./front-matter.ts";
import { filesOfSkill, type SkillFile } from "./skill-folder.ts";

/** Files of a skill named to the model. */
const mostNamed = 100;

type LoadedSkill = Skill & { file: string };
type SkillReader = Pick<AddonDirectories, "workspace" | "withheld">;

/** The body of its SKILL.md, and the list of its other files. */
export async function loadSkill(
  skill: LoadedSkill,
  { workspace, withheld }: SkillReader,
): Promise<ToolResult> {
  const main = await readAdded(skill.file, {
    within: skill.folder,
    withheld,
    most: addedTextBounds.file.most,
  });
  if (!main) return failedResult(`The skill ${skill.name} is not there any more.`);
  if (!main.ok) return failedResult(main.problem);
  const { body } = await readHead(main.value.text);
  const { files } = await filesOfSkill(skill.folder);
  const others = files.filter(({ path }) => path.toLowerCase() !== "skill.md");
  const cut = main.value.cut ? [cutWords(skill.file, addedTextBounds.file.most)] : [];
  return ok(
    [
      `# Skill: ${skill.name}`,
      textOf(body, skill, workspace),
      ...cut,
      folderWords(skill, others, workspace),
    ].join("\n\n"),
  );
}

/**
 * Substitutes another agent's variable for the skill's folder, and rewrites commands that such an agent would run
 * first.
 */
const textOf = (body: string, skill: Skill, workspace: string): string =>
  withCommandsToRun(body.trim()).replaceAll("${CLAUDE_SKILL_DIR}", () => shownFolder(skill, workspace));

/** Relative where it is inside the workspace, so that the paths work with every tool. */
const shownFolder = ({ folder }: Skill, workspace: string): string =>
  isWithin(workspace, folder) ? relative(workspace, folder) : folder;

function folderWords(skill: LoadedSkill, others: readonly SkillFile[], workspace: string): string {
  const where = `The folder of this skill is ${shownFolder(skill, workspace)}; paths in its text are relative to that.`;
  if (others.length === 0) return where;
  const named = others.slice(0, mostNamed);
  const lines = named.map(({ path, size }) => `- ${path} (${sizeInWords(size)})`);
  const more = others.length - named.length;
  return [
    where,
    "Read its other files, where its text asks for that, with this tool and `file`:",
    ...lines,
    ...(more > 0 ? [`… and ${more} more.`] : []),
  ].join("\n");
}

/** Reads another file of the skill. */
export async function loadSkillFile(
  skill: LoadedSkill,
  file: string,
  { withheld }: SkillReader,
): Promise<ToolResult> {
  const read = await readAdded(join(skill.folder, file), {
    within: skill.folder,
    withheld,
    most: addedTextBounds.file.most,
  });
  if (read?.ok)
    return ok(
      read.value.cut ? `${read.value.text}\n\n${cutWords(file, addedTextBounds.file.most)}` : read.value.text,
    );
  if (read) return failedResult(read.problem);
  const { files } = await filesOfSkill(skill.folder);
  const named = files.slice(0, mostNamed).map(({ path }) => path);
  return failedResult(
    `The skill ${skill.name} has no file ${JSON.stringify(file)}. It has: ${named.join(", ")}.`,
  );
}
