/** Finds the skills of the user and of the workspace: folders with a SKILL.md. */

import { realpath } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { isWithin } from "../../base/paths.ts";
import { fileState } from "../../base/safe-fs/small-file.ts";
import { brokenLink, readAdded } from "../added-text.ts";
import { addedTextBounds } from "../bounds.ts";
import type { AddonDirectories } from "../part.ts";
import type { TrustItem } from "../trust.ts";
import { skillBounds } from "./bounds.ts";
import { callableName } from "./callable-name.ts";
import { descriptionLine, type FoundDefinitions, firstLine, gatherDefinitions } from "./definition-files.ts";
import type { Skill } from "./definition.ts";
import { argumentNamesIn, type Head, isTrue, readHead, textIn } from "./front-matter.ts";
import { entriesOf, type Folder, skillFolders } from "./places.ts";
import { type FolderBudget, codeIn, filesOfSkill, hashOf, newBudget } from "./skill-folder.ts";
import { unheededIn } from "./unheeded-keys.ts";

const limits = skillBounds;

/** `brought`: what a person must consent to before it is offered; `file`: its SKILL.md, in whichever spelling. */
export type FoundSkill = Skill & {
  file: string;
  brought?: TrustItem;
  hidden: boolean;
  /** The name in its front matter or of its folder, where that cannot be typed as one word. */
  written?: string;
  argumentHint?: string;
  argumentNames?: readonly string[];
  /** Front matter that has no effect here, in one line. */
  unheeded?: string;
  /** Why its front matter could be read only in part. */
  problem?: string;
};
export type FoundSkills = FoundDefinitions<FoundSkill>;

/** Never throws. For equal names the user's own wins, then the earlier folder. */
export async function findSkills(place: AddonDirectories): Promise<FoundSkills> {
  const budget = newBudget();
  const gathering = gatherDefinitions<FoundSkill>("skill");
  for (const folder of skillFolders(place))
    for (const name of await foldersIn(folder)) {
      const path = join(folder.path, name);
      await gathering.add({ name, path }, async () => {
        const skill = await readSkill(path, folder, { ...place, budget });
        if (typeof skill === "string") return { why: skill };
        const problem = skill?.problem;
        return { made: skill, told: problem === undefined ? [] : [`${skill?.file}: ${problem}.`] };
      });
    }
  return gathering.found();
}

const foldersIn = async ({ path }: Folder): Promise<string[]> =>
  (await entriesOf(path)).flatMap(({ name, kind }) => (kind === "file" ? [] : [name])).toSorted();

/** A text says why the skill is not offered. Undefined: the folder holds no skill. */
async function readSkill(
  path: string,
  { from }: Folder,
  { workspace, withheld, budget }: AddonDirectories & { budget: FolderBudget },
): Promise<FoundSkill | string | undefined> {
  const folder = await realpath(path).catch(() => undefined);
  if (folder === undefined) return notOffered(path, await brokenLink(path));
  if (from === "workspace" && !isWithin(workspace, folder))
    return `The skill ${path} is not offered: it is a link that leads out of the workspace.`;
  const read = await readMain(folder, withheld);
  if (!read) return notOffered(path, await brokenLink(join(folder, "SKILL.md")));
  if (!read.ok) return notOffered(path, read.problem);
  const { head, body, problem } = await readHead(read.value.text);
  const hint = textIn(head, "argument-hint");
  const unheeded = unheededIn(head);
  const name = nameOf(head, path);
  const written = textIn(head, "name") ?? basename(path);
  const skill: FoundSkill = {
    name,
    ...(written === name ? {} : { written }),
    description: descriptionOf(head, body),
    folder,
    from,
    file: read.value.path,
    hidden: isTrue(head, "disable-model-invocation"),
    argumentHint: hint,
    ...argumentNamesIn(head),
    unheeded,
    problem,
  };
  return from === "user" ? skill : withWhatItBrings(skill, head, { workspace, budget });
}

const notOffered = (path: string, why: string | undefined): string | undefined =>
  why === undefined ? undefined : `The skill ${path} is not offered: ${why}`;

/** What it is for, and when to use it if that is a separate field. */
const descriptionOf = (head: Head, body: string): string =>
  descriptionLine(
    [textIn(head, "description") ?? firstLine(body), textIn(head, "when_to_use", "when-to-use") ?? ""].join(
      " ",
    ),
  );

async function readMain(folder: string, withheld: AddonDirectories["withheld"]) {
  const within = { within: folder, withheld, most: addedTextBounds.file.most };
  return (await readAdded(join(folder, "SKILL.md"), within)) ?? readAdded(join(folder, "skill.md"), within);
}

/** The name in its front matter if it can be typed as it is; otherwise the folder's name, made typeable. */
function nameOf(head: Head, path: string): string {
  const written = textIn(head, "name");
  if (written !== undefined && written.length <= 64 && callableName(written) === written) return written;
  return callableName(basename(path)).slice(0, 64);
}

/** Front matter that would run something by itself. `allowed-tools` grants nothing here. */
const grants = ["hooks", "mcpServers"];

/** A workspace's skill that has code or would run something needs a person's consent to exactly that content. */
async function withWhatItBrings(
  skill: FoundSkill,
  head: Head,
  { workspace, budget }: { workspace: string; budget: FolderBudget },
): Promise<FoundSkill | string> {
  const { files, hasLinks, isWhole } = await filesOfSkill(skill.folder, budget);
  const where = relative(workspace, skill.folder);
  if (!isWhole) return `The skill ${where} is not offered: there is too much in its folder to look through.`;
  const code = await codeIn(skill.folder, files);
  const granted = grants.filter((name) => Object.hasOwn(head, name));
  if (code.length === 0 && granted.length === 0) return skill;
  const hash = hasLinks ? undefined : await hashOf(skill.folder, files, budget);
  if (hash === undefined)
    return `The skill ${where} is not offered: it has something to run, and is too large or has links in it, so that nobody could agree to just this.`;
  const shows = [...code, ...granted.map((name) => `its head sets ${name}`)].join(", ");
  const all = files.map(({ path }) => join(where, path));
  return { ...skill, brought: { kind: "skill", name: skill.name, where, shows, files: all, hash } };
}

/**
 * Changes when a skill is added, removed or edited, judged by file times without reading. For a workspace's skill any
 * file counts, because consent covers them all.
 */
export async function signatureOf(place: AddonDirectories): Promise<string> {
  const seen: string[] = [];
  const budget = newBudget();
  for (const folder of skillFolders(place)) {
    for (const name of await foldersIn(folder)) {
      if (seen.length > 2 * limits.listed.most) break;
      const path = join(folder.path, name);
      seen.push(
        path,
        folder.from === "user" ? fileState(join(path, "SKILL.md")) : await timesWithin(path, budget),
      );
    }
  }
  return seen.join("\n");
}

async function timesWithin(path: string, budget: FolderBudget): Promise<string> {
  const { files } = await filesOfSkill(path, budget);
  return files.map((file) => `${file.path} ${file.state}`).join("\n");
}
