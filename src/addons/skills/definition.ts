/** The types of skills, commands and agents that people define in files. */

/** Instructions for a kind of task, read by the model only when it needs them. */
export type Skill = {
  name: string;
  description: string;
  /** Its folder, absolute. */
  folder: string;
  /** The user's own, or brought by this workspace. */
  from: "user" | "workspace";
};

/** A prewritten message that is sent by name. */
export type CommandFile = {
  /** As typed after the slash: "review", "git:commit", "speckit.plan". */
  name: string;
  /** The original name, where it cannot be typed as one word: "my notes". */
  written?: string;
  description: string;
  /** A hint for people about the expected arguments. */
  argumentHint?: string;
  /** The names by which placeholders in the text refer to its arguments, in order. */
  argumentNames?: readonly string[];
  /** What could not be read of it, and which of its front matter has no effect here, in one line. */
  unheeded?: string;
  /** The text with its placeholders, without the front matter. */
  body: string;
  path: string;
  from: "user" | "workspace";
};

/** A subagent that tasks can be given to. */
export type AgentDefinition = {
  name: string;
  description: string;
  /** Tool names as their author wrote them; the default set if absent. */
  tools?: readonly string[];
  /** Denied tools, also as their author wrote them. */
  withoutTools?: readonly string[];
  /** As its author named it; ignored if no such model is available. */
  model?: string;
  maxRounds?: number;
  /** Its system prompt, below Toolwright's own. */
  prompt: string;
  path: string;
  from: "user" | "workspace";
};
