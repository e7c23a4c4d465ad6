/** `toolwright lm-server`, and what it does with a word behind it: `keys` of clients, and their `usage`. */

import { type Expected, refuse } from "../../base/expected.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { options, type OptionName, type Values } from "../../configuration/options/options.ts";
import { mostClients } from "../../lm-server/bounds.ts";
import { newKey } from "../../lm-server/clients.ts";
import { isClientName, type ClientLimits, limitWords } from "../../lm-server/limits.ts";
import { openRecords, type Records } from "../../lm-server/records.ts";
import {
  columns,
  exitCodes,
  type CliContext,
  type CommandWords,
  usageError,
  failWith,
  printAnswer,
} from "../cli-context.ts";

/** Exit code 2 for wrong usage. */
export async function runLmServerWords(context: CliContext, { words, flags }: CommandWords): Promise<number> {
  const [what, which, name, ...more] = words;
  const isServing = what === undefined;
  const misplaced = (isServing ? numberOptions : keyOptions).find((option) => flags[option] !== undefined);
  if (misplaced !== undefined && !(what === "keys" && which === "add"))
    return usageError(context.terminal, `${flagOf(misplaced)} is for toolwright lm-server keys add only.`);
  if (isServing) return (await import("./lm-server.ts")).runLmServer(context, namesIn(flags));
  if (what === "usage" && which === undefined) return withRecords(context, showUsage);
  if (what === "keys" && (which ?? "list") === "list" && name === undefined)
    return withRecords(context, listKeys);
  if (what === "keys" && name !== undefined && more.length === 0) {
    if (which === "add") return addKey(context, name, flags);
    if (which === "revoke")
      return withRecords(context, (opened, records) => revokeKey(opened, records, name));
  }
  return usageError(
    context.terminal,
    "Choose one: toolwright lm-server serves, lm-server keys lists the clients, keys add NAME makes a key, keys revoke NAME ends it, lm-server usage shows what they have used.",
  );
}

/** Each option with the limit that it sets. */
const limitOf = {
  maxRequests: "requestsPerMinute",
  maxTokensDay: "tokensPerDay",
  maxTokensMonth: "tokensPerMonth",
  maxDollarsDay: "dollarsPerDay",
  maxDollarsMonth: "dollarsPerMonth",
  maxStreams: "streams",
} as const satisfies Partial<Record<OptionName, keyof ClientLimits>>;
const numberOptions = [
  "maxRequests",
  "maxTokensDay",
  "maxTokensMonth",
  "maxDollarsDay",
  "maxDollarsMonth",
  "maxStreams",
] as const satisfies (keyof typeof limitOf)[];
const keyOptions: readonly OptionName[] = ["models", ...numberOptions];
/** Settings of a session, which would be ignored here although they look like limits. */
const ofSessions = {
  maxTokens: "--max-tokens-day or --max-tokens-month",
  maxCost: "--max-dollars-day or --max-dollars-month",
} as const;

const flagOf = (name: OptionName): string =>
  `--${options.find((option) => option.name === name)?.flag ?? name}`;

function withRecords(context: CliContext, work: (context: CliContext, records: Records) => number): number {
  const records = openRecords(context.settings.stateDir);
  if (!records.ok) return failWith(context.terminal, records.problem);
  try {
    return work(context, records.value);
  } finally {
    records.value.close();
  }
}

function addKey(context: CliContext, name: string, flags: Values): number {
  const limits = limitsIn(name, flags);
  if (!limits.ok) return usageError(context.terminal, limits.problem);
  return withRecords(context, ({ terminal }, records) => {
    if (records.keys().length >= mostClients)
      return failWith(
        terminal,
        `There are ${mostClients} clients already: revoke one with toolwright lm-server keys revoke NAME.`,
      );
    const { key, stored } = newKey(name, limits.value);
    if (!records.addKey(stored))
      return failWith(
        terminal,
        `There is a client "${name}" already: revoke its key first with toolwright lm-server keys revoke ${name}.`,
      );
    return printAnswer(
      context,
      { client: name, key, limits: limits.value },
      () =>
        `The key of ${name}, which is shown this once:\n\n  ${key}\n\nLimits: ${limitWords(limits.value)}.`,
    );
  });
}

function limitsIn(name: string, flags: Values): Expected<ClientLimits> {
  if (!isClientName(name))
    return refuse(
      `${JSON.stringify(name)} cannot be a client's name: it has up to 40 lower-case letters, digits and ._@-, begins with a letter or digit, and is not "owner".`,
    );
  if (flags.maxTokens !== undefined || flags.maxCost !== undefined) {
    const wrong = flags.maxTokens === undefined ? "maxCost" : "maxTokens";
    return refuse(
      `${flagOf(wrong)} limits a session's request: for a client's key use ${ofSessions[wrong]}.`,
    );
  }
  const limits: ClientLimits = {};
  if (flags.models !== undefined) {
    limits.models = namesIn(flags);
    if (limits.models.length === 0)
      return refuse("--models names no model: write names with commas between them, or *.");
  }
  for (const option of numberOptions) {
    const value = flags[option];
    if (typeof value === "number") limits[limitOf[option]] = value;
  }
  return { ok: true, value: limits };
}

const namesIn = ({ models }: Values): string[] =>
  typeof models === "string" ? models.split(",").flatMap((model) => model.trim() || []) : [];

function revokeKey({ terminal }: CliContext, records: Records, name: string): number {
  if (records.removeKey(name)) {
    terminal.print(`The key of ${name} is no longer valid. Answers that have begun are finished.\n`);
    return exitCodes.done;
  }
  return failWith(
    terminal,
    `There is no client ${JSON.stringify(visibleLine(name))}: toolwright lm-server keys lists them.`,
  );
}

function listKeys(context: CliContext, records: Records): number {
  const own = context.settings.lmServer.clients ?? {};
  const clients = records.keys().map(({ name, limits, made }) => ({
    client: name,
    made: new Date(made).toISOString(),
    limits: { ...limits, ...own[name] },
  }));
  return printAnswer(context, { clients }, () => {
    const rows = clients.map(({ client, made, limits }) => [client, made.slice(0, 10), limitWords(limits)]);
    return rows.length === 0
      ? "No client has a key of its own: toolwright lm-server keys add NAME makes one."
      : columns([["CLIENT", "SINCE", "LIMITS"], ...rows]).join("\n");
  });
}

function showUsage(context: CliContext, records: Records): number {
  const days = records.days();
  return printAnswer(context, { days }, () => {
    if (days.length === 0) return "No client has used the language-model server yet.";
    const rows = days.map(({ day, client, requests, inputTokens, outputTokens, dollars, unpriced }) => [
      day,
      client,
      ...[requests, inputTokens, outputTokens].map((count) => count.toLocaleString("en")),
      `$${dollars.toFixed(4)}${unpriced > 0 ? ` and ${unpriced.toLocaleString("en")} of unknown price` : ""}`,
    ]);
    const head = ["DAY (UTC)", "CLIENT", "REQUESTS", "TOKENS IN", "TOKENS OUT", "COST"];
    return columns([head, ...rows]).join("\n");
  });
}
