/** The table of all commands of the command line: `toolwright NAME`. */

const ofChanges = {
  words: "[TURN] [PATH…]",
  help: "Which request, by number or checkpoint id (see toolwright checkpoints); default: the newest with changes. With paths: only these files and directories (./5 is a file). The session is the newest of this workspace, or the one of --resume.",
} as const;

/** The headings under which `toolwright --help` lists the commands. */
export const commandGroups = {
  start: "Setting up",
  sessions: "Sessions",
  changes: "Changes",
  safety: "Safety",
  serving: "Serving",
  dialects: "Dialects",
} as const;

/**
 * `group`: where it is listed. `takes`: the arguments, explained. `words`: the arguments. `json`: whether `--output json` is supported.
 * `takesCommand`: accepts another command line after `--`.
 */
export const commands = [
  { name: "models", group: "start", json: true, help: "List the available models." },
  {
    name: "login",
    group: "start",
    json: false,
    words: "[NAME]",
    help: "Hand over a provider's key: tried, then kept.",
    takes: {
      words: "[PROVIDER]",
      help: "Whose key it is; default: what its form says. The key is asked for, hidden, or read from standard input, never from the command line. It is kept in the state directory, in a file for you alone; a variable such as ANTHROPIC_API_KEY goes before it.",
    },
  },
  {
    name: "logout",
    group: "start",
    json: false,
    words: "[NAME]",
    help: "Forget a key that `login` keeps.",
    takes: { words: "[PROVIDER]", help: "Whose key to forget; default: the only one that is kept." },
  },
  {
    name: "config",
    group: "start",
    json: true,
    words: "[set]",
    help: "Show the settings and where they are from; `set` one.",
    takes: {
      words: "all, get KEY, set KEY VALUE, unset KEY, path, or schema",
      help: "Without a word: what is not default; `all` shows the rest. KEY is a key of the configuration, or one inside it, such as providers.work.baseUrl or autoApproveEdits.'docs/**'. VALUE is a text, a number, or JSON. `path` prints where the file is, `schema` the JSON Schema of such files, for editors.",
    },
  },
  {
    name: "init",
    group: "start",
    json: false,
    help: "Have the model write AGENTS.md, or improve it.",
  },
  {
    name: "completion",
    group: "start",
    json: false,
    words: "bash|zsh|fish",
    help: "Print what completes this command in a shell.",
    takes: {
      words: "bash, zsh, or fish",
      help: 'The script for that shell. bash: `eval "$(toolwright completion bash)"` in ~/.bashrc. zsh: the same with zsh, behind compinit, in ~/.zshrc. fish: `toolwright completion fish | source` in ~/.config/fish/config.fish.',
    },
  },
  {
    name: "sessions",
    group: "sessions",
    json: true,
    words: "[show]",
    help: "List, show, search, fork or export sessions.",
    takes: {
      words:
        "list, search WORDS, show ID, rename ID TITLE, fork [ID], delete ID…, export ID [FILE], or import FILE",
      help: "Without a subcommand: list. ID may be the end of an id or words of the title, as long as only one session matches.",
    },
  },
  {
    name: "resume",
    group: "sessions",
    json: false,
    words: "[ID]",
    help: "Continue a session, the newest here by default.",
    takes: {
      words: "[ID]",
      help: "As for --resume; default: the newest session of this workspace, as with --continue.",
    },
  },
  {
    name: "fork",
    group: "sessions",
    json: true,
    words: "[ID]",
    help: "Copy a session, to go on from a point in it.",
    takes: {
      words: "[ID]",
      help: "As for `sessions fork`; default: the newest session of this workspace.",
    },
  },
  { name: "diff", group: "changes", json: true, help: "Show what a request changed.", takes: ofChanges },
  { name: "undo", group: "changes", json: true, help: "Undo what a request changed.", takes: ofChanges },
  {
    name: "redo",
    group: "changes",
    json: true,
    help: "Redo what was undone last.",
    takes: ofChanges,
  },
  {
    name: "keep",
    group: "changes",
    json: true,
    help: "Keep a request's changes for good (no undo).",
    takes: ofChanges,
  },
  { name: "checkpoints", group: "changes", json: true, help: "List the requests that changed files." },
  { name: "context", group: "sessions", json: true, help: "Show what fills the context of a session." },
  { name: "doctor", group: "start", json: true, help: "Check this machine and the settings." },
  {
    name: "explain",
    group: "safety",
    json: true,
    takesCommand: true,
    words: "COMMAND",
    help: "Show how a command would be judged, and why.",
    takes: {
      words: "COMMAND, or -- COMMAND",
      help: "As you would type it in a shell: in quotes, or unquoted after --; - reads it from standard input. Nothing is run.",
    },
  },
  {
    name: "policy",
    group: "safety",
    json: true,
    words: "simulate",
    help: "Try rules on past commands; `grants`, `forget`.",
    takes: {
      words: "simulate, grants, or forget",
      help: "`simulate` tries rules on the commands of past sessions, `grants` lists what this workspace is permanently allowed, `forget` revokes one of those by number, or `all`.",
    },
  },
  {
    name: "trust",
    group: "safety",
    json: true,
    words: "[NAME…]",
    help: "Review what a workspace would run; approve it.",
    takes: {
      words: "show [NAME…], all, NAME…, or forget [NAME…]",
      help: "Without a word: what the workspace brings along and awaits your approval (hooks, tool servers, skills with code). `show` prints every file that would run, and what has changed since you approved it; `all` or NAME approves exactly that content, `forget` revokes it.",
    },
  },
  {
    name: "inspect",
    group: "dialects",
    json: true,
    words: "calls",
    help: "Show how a model's answer or a command is read.",
    takes: {
      words: "calls, or command",
      help: "Standard input is a model's answer (`calls`), or a command for a shell (`command`).",
    },
  },
  {
    name: "probe",
    group: "dialects",
    json: true,
    words: "MODEL",
    help: "Measure which dialect suits a model, and use it.",
    takes: {
      words: "[MODEL] [--report FILE]",
      help: "As for --model; default: the configured model.",
    },
  },
  {
    name: "serve",
    group: "serving",
    json: true,
    words: "[link]",
    help: "Serve sessions to a browser; `link`, `devices`.",
    takes: {
      words: "link, devices, or devices revoke ID",
      help: "Without a word: the gateway runs until it is stopped. `link` asks the running one for an address that signs a browser in; `devices` lists the browsers that are, and signs one out.",
    },
  },
  {
    name: "worker",
    group: "serving",
    json: true,
    help: "Run the sessions of `serve --engine dbos`.",
  },
  {
    name: "admin",
    group: "serving",
    json: true,
    words: "[people]",
    help: "Manage the people of a team; `tokens`, `tenants`, `audit`, `stuck`.",
    takes: {
      words:
        "people, people add EMAIL TENANT ROLE, people remove EMAIL, tokens, tokens add EMAIL [RIGHT] [DAYS], tokens revoke ID, tenants, tenants add NAME DIRECTORY, tenants limit NAME LIMIT NUMBER, tenants remove NAME, audit, stuck, or stuck end SESSION",
      help: "Without a word: everybody who may use `serve` with a token of their own. A token is shown once. `stuck` lists the sessions that should go on and do not; `stuck end` ends the open request of one.",
    },
  },
  {
    name: "lm-server",
    group: "serving",
    json: true,
    words: "[keys]",
    help: "Serve a model to other programs; `keys`, `usage`.",
    takes: {
      words: "keys [list], keys add NAME, keys revoke NAME, or usage",
      help: "Without a word: serve, until it is stopped. `keys add` makes a key for one client, maybe with limits, and shows it once; a running server knows it at once. `usage` shows what each client has used on each day.",
    },
  },
  {
    name: "mcp",
    group: "serving",
    json: true,
    words: "[list]",
    help: "Offer sessions to other agents; `list`, `login`.",
    takes: {
      words: "list, login NAME, or accept NAME",
      help: "Without a word: an MCP server that offers sessions and tools to other agents. `list` starts and shows the tool servers that sessions use here, `login` logs in to one in a browser, `accept` approves what it has changed in its tools.",
    },
  },
  {
    name: "acp",
    group: "serving",
    json: false,
    help: "Be an editor's agent (Agent Client Protocol).",
  },
  { name: "demo", group: "start", json: false, help: "Watch a scripted model do a small task, offline." },
] as const;

export type NamedCommand = (typeof commands)[number];
export type CommandName = NamedCommand["name"];
