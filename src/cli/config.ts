/** `toolwright config`: shows the settings and where each is from, and sets them. */

import { countOf } from "../base/amounts.ts";
import type { Expected } from "../base/expected.ts";
import { jsonLine } from "../base/json-lines.ts";
import { isObject, parseJson } from "../base/json.ts";
import { visibleLine } from "../base/visible-text.ts";
import {
  type ConfigChange,
  readConfigKey,
  setInConfig,
  unsetInConfig,
} from "../configuration/config-change.ts";
import { readLevels } from "../configuration/config-levels.ts";
import { configFileOf, type ConfigScope } from "../configuration/config-places.ts";
import { type ConfigRow, configRows, valueAt } from "../configuration/config-report.ts";
import { type ConfigSources, loadConfig, mergeLevels } from "../configuration/config.ts";
import type { Arguments } from "../configuration/options/arguments.ts";
import { didYouMean } from "../configuration/options/nearest.ts";
import { redactorFor } from "../runtime/observing/known-secrets.ts";
import { type CliContext, columns, exitCodes, usageError, failWith, printAnswer } from "./cli-context.ts";

type ConfigWork = {
  context: CliContext;
  sources: ConfigSources;
  words: readonly string[];
  /** The file that was named, if any. */
  scope: ConfigScope | undefined;
};

type ConfigSubcommand = {
  usage: string;
  /** How many words follow its name. */
  words: number;
  /** Whether it takes --project and --local. */
  takesFile: boolean;
  run(work: ConfigWork): Promise<number>;
};

const subcommands: Readonly<Record<string, ConfigSubcommand>> = {
  all: { usage: "all", words: 0, takesFile: false, run: (work) => show(work, () => true) },
  get: { usage: "get KEY", words: 1, takesFile: true, run: get },
  set: { usage: "set KEY VALUE", words: 2, takesFile: true, run: set },
  unset: { usage: "unset KEY", words: 1, takesFile: true, run: unset },
  path: { usage: "path", words: 0, takesFile: true, run: showPath },
  schema: { usage: "schema", words: 0, takesFile: false, run: showSchema },
};

/** Exit code 2 for wrong usage, 1 where `get` finds nothing or a file cannot be written. */
export async function runConfig(context: CliContext, asked: Arguments): Promise<number> {
  const { terminal } = context;
  const { words, flags } = asked;
  const [name, ...rest] = words;
  const sources: ConfigSources = { arguments: asked, env: terminal.env, cwd: terminal.cwd };
  if (flags.project && flags.local)
    return usageError(terminal, "--project and --local are two files: give one of them.");
  const scope = flags.project ? "project" : flags.local ? "local" : undefined;
  const work: ConfigWork = { context, sources, words: rest, scope };
  const subcommand = name === undefined ? undefined : subcommands[name];
  if (name !== undefined && subcommand === undefined) {
    const names = Object.keys(subcommands);
    const hint = didYouMean(name, names) || `: it has ${names.join(", ")}`;
    return usageError(terminal, `There is no toolwright config ${visibleLine(name)}${hint}`);
  }
  if (scope !== undefined && subcommand?.takesFile !== true)
    return usageError(terminal, `--${scope} is for toolwright config get, set, unset and path.`);
  if (subcommand === undefined) return show(work, ({ from }) => from !== "default");
  return rest.length === subcommand.words
    ? subcommand.run(work)
    : usageError(terminal, `It is: toolwright config ${subcommand.usage}`);
}

async function show(work: ConfigWork, isShown: (row: ConfigRow) => boolean): Promise<number> {
  const { terminal, settings } = work.context;
  const read = await rowsOf(work);
  if (!read.ok) return usageError(terminal, read.problem);
  const rows = read.value.filter(isShown);
  const { warnings } = settings;
  const files = [
    ...new Set(rows.flatMap(({ from, where }) => (from in fileWords ? [`${from}\0${where}`] : []))),
  ];
  const left = read.value.length - rows.length;
  return printAnswer(work.context, { settings: rows, warnings }, () => [
    ...columns(rows.map(({ key, value, ...origin }) => [key, briefly(value), originWords(origin)])),
    ...files.map((file) => {
      const [from = "", where = ""] = file.split("\0");
      return `${fileWords[from]}: ${visibleLine(where)}`;
    }),
    ...(left === 0 ? [] : [defaultsWords(left, rows.length)]),
    ...warnings.map((warning) => `! ${visibleLine(warning)}`),
  ]);
}

/** With everything that is secret in them withheld. */
async function rowsOf({ sources, context }: ConfigWork): Promise<Expected<ConfigRow[]>> {
  const levels = await readLevels(sources);
  if (!levels.ok) return levels;
  const config = await mergeLevels(levels.value, sources);
  if (!config.ok) return config;
  const redact = redactorFor(config.value, context.terminal.env);
  const rows = configRows({ levels: levels.value, arguments: sources.arguments, config: config.value });
  return { ok: true, value: rows.map((row) => ({ ...row, value: withoutSecrets(row.value, redact) })) };
}

function withoutSecrets(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((one: unknown) => withoutSecrets(one, redact));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutSecrets(one, redact)]));
}

const fileWords: Readonly<Record<string, string>> = {
  user: "your file",
  local: "your file for this workspace",
  project: "the workspace's file",
};

const originWords = ({ from, where = "" }: Pick<ConfigRow, "from" | "where">): string =>
  fileWords[from] ?? (from === "default" ? "default" : where);

const defaultsWords = (left: number, shown: number): string =>
  shown === 0
    ? `Everything has its default: toolwright config all shows the ${left} settings, toolwright config set KEY VALUE changes one.`
    : `${left} more have their defaults: toolwright config all`;

/** A section in a few words; `config get` shows it. */
function briefly(value: unknown): string {
  if (Array.isArray(value)) return countOf(value.length, "entry", "entries");
  if (isObject(value)) return visibleLine(Object.keys(value).join(", "));
  return visibleLine(String(value));
}

async function get(work: ConfigWork): Promise<number> {
  const { context, words, scope } = work;
  const { terminal, settings } = context;
  const [written = ""] = words;
  const path = readConfigKey(written);
  if (!path.ok) return usageError(terminal, path.problem);
  const read = await rowsOf(work);
  if (!read.ok) return usageError(terminal, read.problem);
  const [key, ...below] = path.value;
  const found = read.value
    .filter((row) => row.key === key && (scope === undefined || row.from === scope))
    .map((row) => ({ ...row, key: written, value: valueAt(row.value, below) }))
    .filter(({ value }) => value !== undefined);
  if (settings.output !== "text") terminal.print(`${jsonLine(found)}\n`);
  else
    for (const { value } of found)
      terminal.print(
        `${typeof value === "string" ? visibleLine(value) : JSON.stringify(value, undefined, 2)}\n`,
      );
  if (found.length > 0) return exitCodes.done;
  return failWith(
    terminal,
    `${visibleLine(written)} is not set${scope === undefined ? "" : ` in ${fileWords[scope]}`}.`,
  );
}

async function set(work: ConfigWork): Promise<number> {
  const { words, sources, scope = "user" } = work;
  const [key = "", value = ""] = words;
  const problem = (await neverValid(work, { [key]: value })) ?? (await keysProblem(work, key, value));
  if (problem !== undefined) return usageError(work.context.terminal, problem);
  return tellChange(work, await setInConfig(sources, { scope, key, value }), `${key} is set`);
}

/** Why a model or dialect of this name cannot exist, whatever is reachable: nothing would start with it. */
async function neverValid(
  { sources, context }: ConfigWork,
  { model, dialect }: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  if (model === undefined && dialect === undefined) return undefined;
  const settings = await loadConfig(sources);
  if (!settings.ok) return undefined; // what providers there are is not known until that is mended
  const { namingProblem } = await import("../runtime/models/models.ts");
  const tried = { ...settings.value, model, ...(dialect === undefined ? {} : { dialect }) };
  return namingProblem({ ...tried, offlineModel: false }, context.terminal.env);
}

/** Which actions there are is known to the terminal, which would not start with another one. */
async function keysProblem({ sources }: ConfigWork, key: string, value: string): Promise<string | undefined> {
  const path = readConfigKey(key);
  const settings = path.ok && path.value[0] === "keys" ? await loadConfig(sources) : undefined;
  if (!path.ok || !settings?.ok) return undefined;
  const [, ...action] = path.value;
  const { keysSchema } = await import("../configuration/key-settings.ts");
  const typed = parseJson(value);
  const said: unknown = typed.ok ? typed.value : value;
  const keys = action.length === 0 ? said : { ...settings.value.keys, [action.join(".")]: said };
  const read = keysSchema.safeParse(keys);
  if (!read.success) return undefined; // told by the key's own rule
  const { keyBindings } = await import("../tui/input/key-bindings.ts");
  const bound = keyBindings(read.data);
  return bound.ok ? undefined : bound.problem;
}

async function unset(work: ConfigWork): Promise<number> {
  const { words, sources, scope = "user" } = work;
  const [key = ""] = words;
  return tellChange(work, await unsetInConfig(sources, { scope, key }), `${key} is no longer set`);
}

/** What another place says of the same key is told, because it may go before. */
async function tellChange(work: ConfigWork, done: ConfigChange, what: string): Promise<number> {
  const { terminal } = work.context;
  if (!done.ok && done.isUnwritten) return failWith(terminal, done.problem);
  if (!done.ok) return usageError(terminal, done.problem);
  const { path } = done.value;
  const rows = await rowsOf(work);
  const key = readConfigKey(work.words[0] ?? "");
  const now = rows.ok && key.ok ? rows.value.find((row) => row.key === key.value[0]) : undefined;
  const isElsewhere = now?.where !== undefined && now.where !== path && key.ok && key.value.length === 1;
  return printAnswer(work.context, { key: work.words[0], path, now: now ?? null }, () => [
    visibleLine(`${what} in ${path}.`),
    ...(isElsewhere && now ? [`What holds here is from elsewhere: ${visibleLine(now.where ?? "")}.`] : []),
    ...(rows.ok ? [] : [`! ${visibleLine(rows.problem)}`]),
  ]);
}

async function showPath({ context, scope = "user" }: ConfigWork): Promise<number> {
  const path = await configFileOf(scope, context.settings);
  return printAnswer(context, { scope, path }, () => path);
}

async function showSchema({ context: { terminal } }: ConfigWork): Promise<number> {
  const { configSchema } = await import("../configuration/config-schema.ts");
  terminal.print(`${JSON.stringify(configSchema(), undefined, 2)}\n`);
  return exitCodes.done;
}
