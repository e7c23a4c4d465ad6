/** Gives a session its skills; loads nothing where no skill folder exists. */

import { isFolder } from "../../base/paths.ts";
import { tools as ownTools } from "../../tools/index.ts";
import type { Tool } from "../../tools/tool.ts";
import type { AddonOpener, AddonDirectories } from "../part.ts";
import type { FoundSkills } from "./find-skills.ts";
import { skillFolders } from "./places.ts";
import type { SkillContext } from "./skill-tool.ts";

export const openSkills: AddonOpener = (context) => {
  if (!skillFolders(context).some(({ path }) => isFolder(path))) return undefined;
  const known = knownSkills(context, context);
  let tools: (() => readonly Tool[]) | undefined;
  let turn: number | undefined;
  return {
    ready: async () => {
      tools = await toolsOf(known, context);
      await known.load();
    },
    tools: () => (known.isEmpty() ? [] : (tools?.() ?? [])),
    beforeAsk: async (state) => {
      if (state.turn !== turn) await known.load();
      turn = state.turn;
      return [];
    },
  };
};

async function toolsOf(
  { offered, waiting, load }: SkillList,
  { workspace, withheld }: AddonDirectories,
): Promise<() => readonly Tool[]> {
  const { skillTool, toolsByName } = await import("./skill-tool.ts");
  const context = { workspace, withheld, offered, waiting, loaded: load };
  const tool = skillTool(context);
  const taken = [tool, ...ownTools].flatMap(({ name, aliases }) => [name, ...aliases]);
  return () => [tool, ...toolsByName(context, taken)];
}

type SkillList = Pick<SkillContext, "offered" | "waiting"> & {
  load: () => Promise<void>;
  isEmpty: () => boolean;
};
type SkillNotices = Pick<Parameters<AddonOpener>[0], "trust" | "warn">;

/** Caches the last result, and rereads only when some file has changed. */
function knownSkills(place: AddonDirectories, { trust, warn }: SkillNotices): SkillList {
  let known: FoundSkills | undefined;
  let signature: string | undefined;
  const isAllowed = ({ brought }: FoundSkills["found"][number]): boolean => !brought || trust.allows(brought);
  return {
    load: async () => {
      const { findSkills, signatureOf } = await import("./find-skills.ts");
      const now = await signatureOf(place);
      if (known && now === signature) return;
      known = await findSkills(place);
      signature = now;
      for (const skill of known.found) isAllowed(skill); // puts skills without consent on the waiting list
      for (const problem of known.problems) warn("skill", problem);
    },
    offered: () => known?.found.filter(isAllowed) ?? [],
    waiting: () => known?.found.filter((skill) => !isAllowed(skill)).map(({ name }) => name) ?? [],
    isEmpty: () => known !== undefined && !known.found.some((skill) => isAllowed(skill) && !skill.hidden),
  };
}
