/** Every option, once: its flag, variable, config key, default and help. Parsing, `--help` and the docs read this table. */
import type { Parsed } from "../base/json.ts";
import type { OnConflict } from "../protocol/commands.ts";
import { modes } from "../protocol/fact-words.ts";
import { efforts } from "../protocol/messages.ts";
import { didYouMean } from "./nearest.ts";

/** What a value must be; `readValue` checks it wherever the value came from. */
export type OptionType =
  | { kind: "switch" }
  | { kind: "text"; placeholder: string }
  | { kind: "choice"; values: readonly string[] }
  | { kind: "number"; from: number; to: number };

export type Option = {
  /** Also the key in the config file, where `inConfig` is set. */
  name: OptionName;
  flag: string;
  short?: string;
  /** The environment variable that sets it. */
  variable?: string;
  inConfig?: true;
  type: OptionType;
  /** For people; the value itself is in `config.ts`. */
  default?: string;
  help: string;
  /** The one command that it is for. */
  only?: "inspect" | "policy" | "undo";
  /** A second one. */
  alsoFor?: "redo";
};

export type OptionName =
  | "prompt"
  | "output"
  | "model"
  | "mode"
  | "cwd"
  | "continue"
  | "resume"
  | "offlineModel"
  | "dialect"
  | "maxRounds"
  | "contextTokens"
  | "reasoning"
  | "stateDir"
  | "jsonl"
  | "sandbox"
  | "rules"
  | "hunk"
  | "conflict"
  | "tools"
  | "wire"
  | "chunk"
  | "prefix"
  | "finish"
  | "verbose"
  | "help"
  | "version";

export const waysOnConflict = ["skip", "restore", "merge"] as const satisfies readonly OnConflict[];
export const outputs = ["text", "json", "stream-json"] as const;

export const options: readonly Option[] = [
  {
    name: "prompt",
    flag: "prompt",
    short: "p",
    type: { kind: "text", placeholder: "TEXT" },
    help: "Do this without a conversation, print the answer and exit. Text that is piped in stands below it; `-p -` takes all of it from there.",
  },
  {
    name: "output",
    flag: "output",
    type: { kind: "choice", values: outputs },
    default: "text",
    help: "What -p prints: the answer, one JSON object at the end, or every fact as a JSON line. `json` is also for every command but `demo`.",
  },
  {
    name: "model",
    flag: "model",
    short: "m",
    variable: "TOOLWRIGHT_MODEL",
    inConfig: true,
    type: { kind: "text", placeholder: "PROVIDER/MODEL" },
    default: "the first one found",
    help: "The model to use; `toolwright models` lists those within reach.",
  },
  {
    name: "mode",
    flag: "mode",
    variable: "TOOLWRIGHT_MODE",
    inConfig: true,
    type: { kind: "choice", values: modes },
    default: "ask",
    help: "What happens without a question: `plan` only reads, `accept-edits` also changes files, `auto` also runs contained commands of medium risk, `deny` refuses what would need a question, `staged` only shows changes until they are applied by a token.",
  },
  {
    name: "cwd",
    flag: "cwd",
    short: "C",
    type: { kind: "text", placeholder: "DIRECTORY" },
    default: "the current directory",
    help: "The workspace: the directory tree that tools may touch. It is made when it does not exist.",
  },
  {
    name: "continue",
    flag: "continue",
    short: "c",
    type: { kind: "switch" },
    help: "Go on with the newest session of this workspace.",
  },
  {
    name: "resume",
    flag: "resume",
    short: "r",
    type: { kind: "text", placeholder: "SESSION" },
    help: "Go on with this session; `toolwright sessions` lists them.",
  },
  {
    name: "offlineModel",
    flag: "offline-model",
    type: { kind: "switch" },
    help: "Use the scripted model, which follows simple orders without any network.",
  },
  {
    name: "dialect",
    flag: "dialect",
    variable: "TOOLWRIGHT_DIALECT",
    inConfig: true,
    type: { kind: "text", placeholder: "NAME" },
    default: "auto",
    help: "How the model writes tool calls: `native`, the name of a text dialect, or `auto`: what was measured or seen to work, else what the server and the name of the model tell.",
  },
  {
    name: "maxRounds",
    flag: "max-rounds",
    variable: "TOOLWRIGHT_MAX_ROUNDS",
    inConfig: true,
    type: { kind: "number", from: 5, to: 100 },
    default: "25",
    help: "How many answers one turn may take.",
  },
  {
    name: "contextTokens",
    flag: "context-tokens",
    variable: "TOOLWRIGHT_CONTEXT_TOKENS",
    inConfig: true,
    type: { kind: "number", from: 1024, to: 100_000_000 },
    default: "what the model reports",
    help: "The context window to use, in tokens.",
  },
  {
    name: "reasoning",
    flag: "reasoning",
    variable: "TOOLWRIGHT_REASONING",
    inConfig: true,
    type: { kind: "choice", values: efforts },
    default: "what the model does by itself",
    help: "How much the model thinks before it answers, where it can be told.",
  },
  {
    name: "stateDir",
    flag: "state-dir",
    variable: "TOOLWRIGHT_HOME",
    inConfig: true,
    type: { kind: "text", placeholder: "DIRECTORY" },
    default: "$XDG_STATE_HOME/toolwright, or ~/.local/state/toolwright",
    help: "Where sessions are kept. It must lie outside the workspace.",
  },
  {
    name: "jsonl",
    flag: "jsonl",
    only: "inspect",
    type: { kind: "switch" },
    help: "Read one case per line: `id`, `tools`, and `text` or `wire` with `chunks` or `chunks_b64`; maybe `mode`, `prefix`, `finish`. For `inspect command`: `id`, `cmd`; maybe `home`, `workspace`, `cwd`, `mode`. Print one report per line.",
  },
  {
    name: "sandbox",
    flag: "sandbox",
    only: "inspect",
    type: { kind: "choice", values: ["on", "off"] },
    default: "on",
    help: "Whether `inspect command` decides as on a machine with a sandbox; this machine's own does not count.",
  },
  {
    name: "rules",
    flag: "rules",
    only: "policy",
    type: { kind: "text", placeholder: "FILE" },
    help: "A configuration file whose `rules` and `autoApproveEdits` are tried by `policy simulate` instead of your own.",
  },
  {
    name: "hunk",
    flag: "hunk",
    only: "undo",
    type: { kind: "text", placeholder: "N[,N]" },
    help: "Take back only these hunks of one file, as `diff` numbers them.",
  },
  {
    name: "conflict",
    flag: "conflict",
    only: "undo",
    alsoFor: "redo",
    type: { kind: "choice", values: waysOnConflict },
    help: "What to do with files that have changed since: leave them (`skip`), bring the earlier content back all the same (`restore`), or take out only what the request did, line by line (`merge`). Without it nothing is done then.",
  },
  {
    name: "tools",
    flag: "tools",
    only: "inspect",
    type: { kind: "text", placeholder: "FILE" },
    default: "our own",
    help: "The tools on offer, as a JSON list of `{name, schema}` or as providers take it; with --jsonl those of lines that name none.",
  },
  {
    name: "wire",
    flag: "wire",
    only: "inspect",
    type: { kind: "text", placeholder: "NAME" },
    help: "Standard input is a provider's streamed reply in this format, such as `openai-chat` or `ollama`.",
  },
  {
    name: "chunk",
    flag: "chunk",
    only: "inspect",
    type: { kind: "number", from: 1, to: 1_000_000 },
    default: "all at once",
    help: "Feed so many characters (with a wire: bytes) at a time.",
  },
  {
    name: "prefix",
    flag: "prefix",
    only: "inspect",
    type: { kind: "text", placeholder: "TEXT" },
    help: "The end of what the model continued from, such as `<think>`.",
  },
  {
    name: "finish",
    flag: "finish",
    only: "inspect",
    type: { kind: "choice", values: ["stop", "length"] },
    default: "stop",
    help: "Why the text ended.",
  },
  {
    name: "verbose",
    flag: "verbose",
    type: { kind: "switch" },
    help: "Say more: why each decision was made, what was mended in a call, what went wrong in a task of `probe`.",
  },
  { name: "help", flag: "help", short: "h", type: { kind: "switch" }, help: "Show this help." },
  { name: "version", flag: "version", short: "V", type: { kind: "switch" }, help: "Show the version." },
];

export type Value = string | number | true;
export type Values = Partial<Record<OptionName, Value>>;

/** Checks a value against its option; `label` is how the person wrote it: "--mode", "TOOLWRIGHT_MODE". */
export function readValue(option: Option, value: unknown, label: string): Parsed<Value> {
  const wrong = (expected: string, hint = ""): Parsed<Value> => ({
    ok: false,
    problem: `${label} must be ${expected}, not ${JSON.stringify(value)}${hint}`,
  });
  const { type } = option;
  switch (type.kind) {
    case "switch":
      return value === true ? { ok: true, value } : wrong("true");
    case "text":
      return typeof value === "string" && value.trim() !== ""
        ? { ok: true, value }
        : wrong("a text that is not empty");
    case "choice": {
      if (typeof value === "string" && type.values.includes(value)) return { ok: true, value };
      const hint = typeof value === "string" ? didYouMean(value, type.values) : "";
      return wrong(`one of ${type.values.join(", ")}`, hint);
    }
    case "number": {
      const number = typeof value === "string" && /^\d+$/u.test(value) ? Number(value) : value;
      const fits =
        typeof number === "number" && Number.isInteger(number) && number >= type.from && number <= type.to;
      return fits ? { ok: true, value: number } : wrong(`a whole number from ${type.from} to ${type.to}`);
    }
    default:
      return type satisfies never;
  }
}

/** "-p, --prompt TEXT", as help and docs show it. */
export function usage({ flag, short, type }: Option): string {
  const name = short === undefined ? `--${flag}` : `-${short}, --${flag}`;
  switch (type.kind) {
    case "switch":
      return name;
    case "text":
      return `${name} ${type.placeholder}`;
    case "choice":
      return `${name} ${type.values.join("|")}`;
    case "number":
      return `${name} NUMBER`;
    default:
      return type satisfies never;
  }
}
