/** The built-in commands of a conversation, `/name`: their names are reserved, so no file can override them. */

import { commands } from "./commands.ts";

/** `beside`: may run during a turn. */
export const conversationCommands = [
  { name: "help", usage: "/help", help: "Show this help.", beside: true },
  { name: "mode", usage: "/mode [MODE]", help: "Show the modes, or set the mode from now on.", beside: true },
  { name: "model", usage: "/model [MODEL]", help: "List the models, or switch to another.", beside: true },
  {
    name: "reasoning",
    usage: "/reasoning [EFFORT]",
    help: "Show how much the model thinks, or set it from now on.",
    beside: true,
  },
  {
    name: "queue",
    usage: "/queue [TEXT]",
    help: "Show the queue, add TEXT to it, or drop N from it.",
    beside: true,
  },
  {
    name: "attach",
    usage: "/attach [FILE]",
    help: "Attach a file to the next message, as @path in it does.",
    beside: true,
  },
  {
    name: "go-on",
    usage: "/go-on",
    help: "Send what is queued, or continue what was left open.",
    beside: false,
  },
  {
    name: "edit",
    usage: "/edit [REQUEST]",
    help: "Change an earlier message and continue from there.",
    beside: false,
  },
  { name: "new", usage: "/new", help: "Start a new session here; this one is kept.", beside: false },
  {
    name: "resume",
    usage: "/resume [SESSION]",
    help: "List the sessions of this workspace, or go to one.",
    beside: false,
  },
  {
    name: "fork",
    usage: "/fork [REQUEST]",
    help: "Go on in a copy, of all or of what was before REQUEST.",
    beside: false,
  },
  {
    name: "diff",
    usage: "/diff [TURN] [PATH…]",
    help: "Show what a request changed, by default the newest.",
    beside: false,
  },
  {
    name: "undo",
    usage: "/undo [TURN] [PATH…]",
    help: "Undo it; --hunk 2 undoes one hunk of one file.",
    beside: false,
  },
  {
    name: "redo",
    usage: "/redo [TURN] [PATH…]",
    help: "Redo what was undone last.",
    beside: false,
  },
  {
    name: "keep",
    usage: "/keep [TURN] [PATH…]",
    help: "Keep it for good; it can no longer be undone.",
    beside: false,
  },
  {
    name: "checkpoints",
    usage: "/checkpoints",
    help: "List the requests that changed files.",
    beside: false,
  },
  { name: "rename", usage: "/rename TITLE", help: "Name the session.", beside: true },
  { name: "sessions", usage: "/sessions", help: "List the sessions of this workspace.", beside: true },
  {
    name: "skills",
    usage: "/skills",
    help: "List your skills and command files.",
    beside: true,
  },
  {
    name: "trust",
    usage: "/trust [NAME…]",
    help: "What the workspace would run; /trust all approves it.",
    beside: true,
  },
  {
    name: "init",
    usage: "/init",
    help: "Have the model write AGENTS.md, or improve it.",
    beside: false,
  },
  { name: "vim", usage: "/vim", help: "Switch vi's keys in the input on or off.", beside: true },
  { name: "agents", usage: "/agents", help: "Open a subagent; list the agents for tasks.", beside: true },
  {
    name: "mcp",
    usage: "/mcp [login NAME]",
    help: "Show the tool servers; log in to one, or accept it.",
    beside: true,
  },
  { name: "hooks", usage: "/hooks", help: "List the hooks.", beside: true },
  {
    name: "permissions",
    usage: "/permissions",
    help: "Show what may happen unasked; forget N revokes.",
    beside: true,
  },
  { name: "context", usage: "/context", help: "Show what fills the context.", beside: true },
  {
    name: "compact",
    usage: "/compact",
    help: "Summarise the conversation for the model now.",
    beside: false,
  },
  {
    name: "btw",
    usage: "/btw QUESTION",
    help: "Ask beside the work; the model forgets it again.",
    beside: true,
  },
  {
    name: "goal",
    usage: "/goal [CONDITION]",
    help: "Go on until it is met and verified; /goal off.",
    beside: true,
  },
  {
    name: "verbose",
    usage: "/verbose [on|off]",
    help: "Say why things happen; what went wrong with calls.",
    beside: true,
  },
  { name: "copy", usage: "/copy", help: "Copy the last answer into the clipboard.", beside: true },
  {
    name: "export",
    usage: "/export [FILE]",
    help: "Write the session to one file: a page, .md or .json.",
    beside: true,
  },
  {
    name: "status",
    usage: "/status",
    help: "Show the session, its settings and what it has used.",
    beside: true,
  },
  { name: "quit", usage: "/quit", help: "Exit, also from a request; all is kept.", beside: true },
] as const;

export type ConversationCommand = (typeof conversationCommands)[number];
export type ConversationCommandName = ConversationCommand["name"];

/** Names that other agents use for them. */
const alias: Readonly<Record<string, string>> = {
  back: "edit",
  clear: "new",
  compress: "compact",
  cost: "status",
  exit: "quit",
  usage: "status",
};

/** Ignores case. */
export function conversationCommand(written: string): ConversationCommand | undefined {
  const name = written.toLowerCase();
  return conversationCommands.find((known) => known.name === (alias[name] ?? name));
}

/** The equivalent on the command line, if not a command of the same name. */
const inShell: Readonly<Record<string, string>> = {
  help: "--help",
  mode: "--mode MODE",
  model: "--model MODEL",
  attach: "--attach FILE",
  rename: "sessions rename",
  resume: "--resume SESSION",
  fork: "sessions fork",
  permissions: "policy grants",
  verbose: "--verbose",
  export: "sessions export",
};

/** Explains why the command is unavailable outside a terminal, and what to use instead. */
export function onlyInConversation({ name }: ConversationCommand): string {
  const same = inShell[name] ?? commands.find((one) => one.name === name)?.name;
  const instead = same === undefined ? "" : ` From a shell: \`toolwright ${same}\`.`;
  return `/${name} is a command of a conversation in a terminal (\`toolwright\`): nothing was sent.${instead}`;
}
