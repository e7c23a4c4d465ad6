/** Gives a session the agents that people defined in files; loads nothing where no agent folder exists. */

import { isFolder } from "../../base/paths.ts";
import type { AddonOpener } from "../part.ts";
import type { AgentDefinition } from "./definition.ts";
import { agentFolders } from "./places.ts";

/** Reads the files at the start of each turn. Subagents get none, because they cannot delegate tasks. */
export const openAgents: AddonOpener = (context) => {
  if (context.parent !== undefined || agentFolders(context).every(({ path }) => !isFolder(path)))
    return undefined;
  let agents: readonly AgentDefinition[] = [];
  let turn: number | undefined;
  return {
    agents: () => agents,
    beforeAsk: async (state) => {
      if (state.turn !== turn) {
        const { agentDefinitions } = await import("./agents.ts");
        const known = await agentDefinitions(context);
        agents = known.agents;
        for (const problem of known.problems) context.warn("agent", problem);
      }
      turn = state.turn;
      return [];
    },
  };
};
