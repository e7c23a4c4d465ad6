/** What an option is, how its values are validated, and how it is displayed. */

import { type Expected, refuse } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";
import type { CommandName } from "./commands.ts";
import { didYouMean } from "./nearest.ts";

/** The type of a value; `readValue` validates it whatever its source. */
export type OptionType =
  | { kind: "switch" }
  | { kind: "text"; placeholder: string; form?: { pattern: RegExp; words: string } }
  | { kind: "choice"; values: readonly string[] }
  /** An integer unless `fraction`. */
  | { kind: "number"; from: number; to: number; fraction?: true }
  /** A time such as "90s"; its value is in milliseconds, and so is `to`. */
  | { kind: "duration"; to: number; orNone?: true };

/** An id that a person gives a session. */
export const sessionIdForm = /^[A-Za-z0-9][\w-]{2,63}$/u;

/** The headings under which `toolwright --help all` lists the options that no command has for itself. */
export const optionGroups = {
  request: "One request",
  model: "The model",
  safety: "What may happen",
  limits: "Limits",
  sessions: "Sessions and places",
  watching: "Help and logs",
} as const;

export type Option = {
  /** Also the key in the config file if `inConfig` is set. */
  name: OptionName;
  flag: string;
  short?: string;
  /** Where the help lists it; `request` by default. */
  group?: keyof typeof optionGroups;
  /** The environment variable that sets it. */
  variable?: string;
  inConfig?: true;
  type: OptionType;
  /** The default as displayed; the value itself is in `config.ts`. */
  default?: string;
  /** Defaults for commands that differ. */
  defaults?: Partial<Record<CommandName, string>>;
  help: string;
  /** A few words, for the most used ones, which `toolwright --help` explains. */
  brief?: string;
  /** The only command that accepts it. */
  only?:
    | "acp"
    | "admin"
    | "config"
    | "doctor"
    | "inspect"
    | "lm-server"
    | "policy"
    | "serve"
    | "sessions"
    | "undo"
    | "worker";
  /** Further commands that accept it. */
  alsoFor?: readonly ("acp" | "fork" | "redo" | "serve" | "mcp" | "lm-server" | "probe" | "worker")[];
  /** May be given several times: the values are joined by NUL, which no argument can contain. */
  repeats?: true;
  /** The commands it affects, besides the conversation. Default: all. */
  concerns?: readonly CommandName[];
};

export type OptionName =
  | "prompt"
  | "attach"
  | "output"
  | "input"
  | "partial"
  | "outputFile"
  | "jsonSchema"
  | "goal"
  | "askOn"
  | "model"
  | "fallback"
  | "mode"
  | "cwd"
  | "continue"
  | "resume"
  | "sessionId"
  | "fork"
  | "noSave"
  | "systemPromptFile"
  | "appendSystemPromptFile"
  | "configFile"
  | "takeOver"
  | "timeout"
  | "allow"
  | "deny"
  | "knowing"
  | "offlineModel"
  | "gitBranch"
  | "dialect"
  | "constraint"
  | "smallModel"
  | "maxRounds"
  | "maxCost"
  | "maxTokens"
  | "maxMinutes"
  | "retryFor"
  | "onLimit"
  | "completion"
  | "contextTokens"
  | "reasoning"
  | "stateDir"
  | "database"
  | "jsonl"
  | "sandbox"
  | "rules"
  | "all"
  | "limit"
  | "at"
  | "format"
  | "html"
  | "olderThan"
  | "yes"
  | "project"
  | "local"
  | "hunk"
  | "conflict"
  | "tools"
  | "wire"
  | "chunk"
  | "port"
  | "host"
  | "allowHost"
  | "newToken"
  | "drain"
  | "draft"
  | "models"
  | "maxRequests"
  | "maxTokensDay"
  | "maxTokensMonth"
  | "maxDollarsDay"
  | "maxDollarsMonth"
  | "maxStreams"
  | "answerWithin"
  | "whenAway"
  | "engine"
  | "tenant"
  | "tenantSessions"
  | "workerSessions"
  | "since"
  | "checkouts"
  | "gitProtocols"
  | "login"
  | "loginClient"
  | "log"
  | "telemetry"
  | "report"
  | "prefix"
  | "finish"
  | "verbose"
  | "plain"
  | "help"
  | "version";

export type OptionValue = string | number | true;
export type Values = Partial<Record<OptionName, OptionValue>>;

/** Checks a value against its option; `label` is how the person wrote it: "--mode", "TOOLWRIGHT_MODE". */
export function readValue(option: Option, value: unknown, label: string): Expected<OptionValue> {
  const wrong = (expected: string, hint = ""): Expected<OptionValue> =>
    refuse(`${label} must be ${expected}, not ${briefValue(value)}${hint}`);
  const { type } = option;
  switch (type.kind) {
    case "switch":
      return value === true ? { ok: true, value } : wrong("true");
    case "text":
      return typeof value === "string" && value.trim() !== "" && type.form?.pattern.test(value) !== false
        ? { ok: true, value }
        : wrong(type.form?.words ?? "a non-empty text");
    case "choice": {
      if (typeof value === "string" && type.values.includes(value)) return { ok: true, value };
      const hint = typeof value === "string" ? didYouMean(value, type.values) : "";
      return wrong(`one of ${type.values.join(", ")}`, hint);
    }
    case "number": {
      const digits = type.fraction === true ? /^\d*\.?\d+$/u : /^\d+$/u;
      const number = typeof value === "string" && digits.test(value) ? Number(value) : value;
      const isWhole = type.fraction !== true;
      const fits =
        typeof number === "number" &&
        (isWhole ? Number.isInteger(number) : Number.isFinite(number)) &&
        number >= type.from &&
        number <= type.to;
      const expected = `a ${isWhole ? "whole " : ""}number from ${type.from} to ${type.to}`;
      return fits ? { ok: true, value: number } : wrong(expected);
    }
    case "duration": {
      const isNone = type.orNone === true && (value === 0 || value === "0");
      const ms = isNone ? 0 : typeof value === "string" ? readDuration(value) : undefined;
      const expected = `a time such as 90s, 15m or 2h, of ${type.to / 3_600_000}h at most${type.orNone ? ", or 0" : ""}`;
      return ms === undefined || ms > type.to ? wrong(expected) : { ok: true, value: ms };
    }
    default:
      return type satisfies never;
  }
}

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** "90s", "15m", "2h", "30d" or "8w" in milliseconds; `undefined` for anything else, and for no time at all. */
export function readDuration(text: string): number | undefined {
  const [, number, unit = ""] = /^(\d{1,6})\s*([smhdw])$/u.exec(text.trim()) ?? [];
  const ms = Number(number) * (unitMs[unit] ?? 0);
  return number !== undefined && ms > 0 ? ms : undefined;
}

/** Nested values are not shown: they may be a misplaced secret. */
function briefValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : JSON.stringify(value);
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
    case "duration":
      return `${name} DURATION`;
    default:
      return type satisfies never;
  }
}
