/** What people write down for any agent, as this one has read it from files. */

/** Instructions for a kind of task, read by the model only when it needs them. */
export type Skill = {
  name: string;
  description: string;
  /** Its folder, absolute. */
  folder: string;
  /** Whether the user has it everywhere, or this workspace brings it. */
  from: "user" | "workspace";
};

/** A message that is written once and sent by its name. */
export type CommandFile = {
  /** As it is typed after the slash: "review", "git:commit", "speckit.plan". */
  name: string;
  /** As it is written, where that cannot be typed as one word: "my notes". */
  written?: string;
  description: string;
  /** What is to follow the name, for people. */
  argumentHint?: string;
  /** By which places in its text mean its arguments, in their order. */
  argumentNames?: readonly string[];
  /** What of it could not be read, and what its head asks for and is not done, in a line. */
  unheeded?: string;
  /** The text with its places for arguments, without its head. */
  body: string;
  path: string;
  from: "user" | "workspace";
};

/** A subagent that tasks can be given to. */
export type AgentDefinition = {
  name: string;
  description: string;
  /** Names of tools as its writer knew them; what the default is where there are none. */
  tools?: readonly string[];
  /** Those that it may not have, also as its writer knew them. */
  withoutTools?: readonly string[];
  /** As its writer named it; only what can be found is used. */
  model?: string;
  maxRounds?: number;
  /** Its system prompt, below Toolwright's own. */
  prompt: string;
  path: string;
  from: "user" | "workspace";
};
