/** Every command of the command line, once: `toolwright NAME`. */

const ofChanges = {
  words: "[TURN] [PATH…]",
  help: "Which request, by its number or the id of its checkpoint (toolwright checkpoints lists them); unless told, the newest with such changes. Of these files and directories only; ./5 is a file. The session is the newest of this workspace, or that of --resume.",
} as const;

/**
 * `takes`: the same words at length. `json`: whether `--output json` makes it print JSON. `words`: what it takes behind its name. `takesCommand`: words of
 * another command line behind `--`; `takesPaths`: paths there.
 */
export const commands = [
  { name: "models", json: true, help: "List the models within reach." },
  {
    name: "sessions",
    json: true,
    words: "[show]",
    help: "List the sessions kept here; search, show, fork …",
    takes: {
      words: "list, search WORDS, show ID, rename ID TITLE, fork ID, delete ID…,",
      help: "or export ID [FILE], import FILE. ID is the end of an id, or words of the title, where only one session fits.",
    },
  },
  { name: "diff", json: true, takesPaths: true, help: "Show what a request changed.", takes: ofChanges },
  { name: "undo", json: true, takesPaths: true, help: "Take back what a request changed.", takes: ofChanges },
  {
    name: "redo",
    json: true,
    takesPaths: true,
    help: "Bring back what was taken back last.",
    takes: ofChanges,
  },
  {
    name: "keep",
    json: true,
    takesPaths: true,
    help: "Keep what a request changed: no undo any more.",
    takes: ofChanges,
  },
  { name: "checkpoints", json: true, help: "List the requests that changed files." },
  { name: "context", json: true, help: "Show what fills the context of a session." },
  { name: "doctor", json: true, help: "Check this machine and the settings." },
  {
    name: "explain",
    json: true,
    takesCommand: true,
    words: "COMMAND",
    help: "Show what would come of a command, and why.",
    takes: {
      words: "COMMAND, or -- COMMAND",
      help: "As for a shell: in quotes, or as it is behind --; - reads it from standard input. Nothing is run.",
    },
  },
  {
    name: "policy",
    json: true,
    words: "simulate",
    help: "Try rules on the past; `grants` and `forget` too.",
    takes: {
      words: "simulate, grants, or forget",
      help: "`simulate` tries rules on the commands of past sessions, `grants` lists what is allowed in this workspace for good, `forget` takes one of those back, by its number, or `all`.",
    },
  },
  {
    name: "inspect",
    json: true,
    words: "calls",
    help: "Show what is understood of an answer or `command`.",
    takes: {
      words: "calls, or command",
      help: "Standard input is a model's answer (`calls`), or a command for a shell (`command`).",
    },
  },
  {
    name: "probe",
    json: true,
    words: "MODEL",
    help: "Measure which dialect suits a model, and use it.",
    takes: { words: "MODEL", help: "As for --model; unless told, the one that is configured." },
  },
  {
    name: "serve",
    json: true,
    words: "[link]",
    help: "Serve sessions to a browser and to programs.",
    takes: {
      words: "[link]",
      help: "The gateway runs until it is stopped. `link` asks the one that runs for an address that lets a browser in.",
    },
  },
  {
    name: "lm-server",
    json: false,
    help: "Serve a model to other programs, tools included.",
  },
  { name: "demo", json: false, help: "Watch a scripted model do a small task, offline." },
] as const;

export type NamedCommand = (typeof commands)[number];
export type CommandName = NamedCommand["name"];
