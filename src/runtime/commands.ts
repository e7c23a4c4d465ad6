/** Every command of the command line, once: `toolwright NAME`. */

/**
 * `json`: whether `--output json` makes it print JSON. `words`: what it takes behind its name. `takesCommand`: words of
 * another command line behind `--`; `takesPaths`: paths there.
 */
export const commands = [
  { name: "models", json: true, help: "List the models within reach." },
  {
    name: "sessions",
    json: true,
    words: "[show]",
    help: "List the sessions kept here; search, show, fork …",
  },
  { name: "diff", json: true, takesPaths: true, help: "Show what a request changed." },
  { name: "undo", json: true, takesPaths: true, help: "Take back what a request changed." },
  { name: "redo", json: true, takesPaths: true, help: "Bring back what was taken back last." },
  { name: "keep", json: true, takesPaths: true, help: "Keep what a request changed: no undo any more." },
  { name: "checkpoints", json: true, help: "List the requests that changed files." },
  { name: "context", json: true, help: "Show what fills the context of a session." },
  { name: "doctor", json: true, help: "Check this machine and the settings." },
  {
    name: "explain",
    json: true,
    takesCommand: true,
    words: "COMMAND",
    help: "Show what would come of a command, and why.",
  },
  {
    name: "policy",
    json: true,
    words: "simulate",
    help: "Try rules on the past; `grants` and `forget` too.",
  },
  {
    name: "inspect",
    json: true,
    words: "calls",
    help: "Show what is understood of an answer or `command`.",
  },
  { name: "probe", json: true, words: "MODEL", help: "Measure which dialect suits a model, and use it." },
  {
    name: "serve",
    json: true,
    words: "[link]",
    help: "Serve sessions to a browser and to programs.",
  },
  {
    name: "lm-server",
    json: false,
    help: "Serve a model to other programs, tools included.",
  },
  { name: "demo", json: false, help: "Watch a scripted model do a small task, offline." },
] as const;

export type NamedCommand = (typeof commands)[number];
