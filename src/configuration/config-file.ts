/** Reads one configuration file (JSON with comments) into validated values, and reports mistakes with their line. */

import type * as jsonc from "jsonc-parser";
import type { Node, ParseError } from "jsonc-parser";
import * as z from "zod/mini";
import { type Expected, refuse } from "../base/expected.ts";
import { isObject } from "../base/json.ts";
import type { Mode } from "../protocol/facts.ts";
import { commandRow, type CommandRow } from "../safety/dangers/data/row.ts";
import { isUsableGlob } from "../safety/path-pattern.ts";
import { addonSchemas, type AddonSettings } from "./addon-settings.ts";
import { lmServerSchema, type LmServerSettings } from "./lm-server-settings.ts";
import { configOption, configOptions } from "./options/config-options.ts";
import { didYouMean } from "./options/nearest.ts";
import { readValue, type Values } from "./options/options.ts";
import { providerSchema, type ProviderSettings } from "./provider-settings.ts";
import { repeatedKeys } from "./repeated-keys.ts";
import { screenSections, type ScreenSettings } from "./screen-settings.ts";

const nonEmptyText = () => z.string().check(z.regex(/\S/u, "a non-empty text"));

export const ruleSchema = z.strictObject({
  tool: nonEmptyText().check(z.describe('The name of a tool; "*" stands for anything in it.')),
  path: z.optional(
    nonEmptyText().check(z.describe('Only for these paths: a glob such as "docs/**"; "~/" is your home.')),
  ),
  command: z.optional(
    nonEmptyText().check(
      z.describe(
        'Only for these commands; `*` stands for anything, a last ` *` also for nothing: "npm test *".',
      ),
    ),
  ),
  host: z.optional(
    z
      .string()
      .check(
        z.regex(/^(?:\*\.)?[\w.:[\]-]+$/u, 'a host such as "docs.example.org" or "*.example.org"'),
        z.describe(
          'Only for what reaches these hosts: "docs.example.org", or "*.example.org" for all below.',
        ),
      ),
  ),
  upTo: z.optional(
    z
      .enum(["medium", "high"])
      .check(
        z.describe("Of an allow: the highest risk that it covers; high by default. Critical always asks."),
      ),
  ),
  decision: z.enum(["allow", "ask", "deny"]).check(z.describe("What happens.")),
});

/** A limit that has no effect, or a glob that cannot be used, is a mistake. */
export const checkedRule = ruleSchema.check(
  z.refine(({ path }) => path === undefined || isUsableGlob(path), {
    path: ["path"],
    error: "a glob of `*`, `**`, `?`, `[ab]` and `{a,b}`, of at most 1,000 characters",
  }),
  z.refine(({ upTo, decision }) => upTo === undefined || decision === "allow", {
    path: ["upTo"],
    error: 'left out: only a rule with "decision": "allow" has a limit',
  }),
);

/** In the format of earlier agents: glob → whether editing a matching file needs no approval. */
export const autoApproveEditsSchema = z.record(z.string(), z.boolean());

/** A host as in a URL, with its port unless that is 80 or 443; a leading `*.` covers all subdomains. */
export const registriesSchema = z.array(
  z.string().check(z.regex(/^(?:\*\.)?[\w.-]+(?::\d{1,5})?$/u, 'a host such as "npm.example.org"')),
);

const dollars = (what: string) =>
  z.number().check(z.minimum(0, "an amount in dollars, not below 0"), z.describe(what));

/** The price of a model, in US dollars per million tokens. */
export const priceSchema = z.strictObject({
  input: dollars("Of the prompt."),
  output: dollars("Of the answer, reasoning included."),
  cacheRead: z.optional(dollars("Of the prompt, read from the provider's cache; as `input` by default.")),
  cacheWrite: z.optional(dollars("Of the prompt, written to that cache; as `input` by default.")),
});

/** "provider/model", or a pattern of such names. */
const pricedModel = z.string().check(z.regex(/^[^\s*]+\/\S+$|\*/u));

/** The part before the slash of "provider/model". */
const providerName = z.string().check(z.regex(/^[^\s/:#]+$/u));

type Providers = Record<string, ProviderSettings>;
type Rules = z.infer<typeof ruleSchema>[];
type Prices = Record<string, z.infer<typeof priceSchema>>;

/** The contents of a file; absent keys are left out. */
export type ConfigFile = ScreenSettings & {
  path: string;
  values: Values;
  providers?: Providers;
  rules?: Rules;
  autoApproveEdits?: Record<string, boolean>;
  registries?: string[];
  programs?: CommandRow[];
  prices?: Prices;
  lmServer?: LmServerSettings;
  addons: AddonSettings;
  /** In place of a workspace's mode that cannot be read. */
  leastMode?: Mode;
  warnings: string[];
};

/** What is done about a mistake in a key: returning it ends the reading. */
type OnMistake = (
  file: ConfigFile,
  mistake: { key: string; value: unknown; problem: string },
) => string | undefined;

/** `path` is used in messages. Load this module only if there is a file: its schemas and parser take 10 ms. */
export async function readConfigFile(
  path: string,
  text: string,
  onMistake: OnMistake = (_, { problem }) => problem,
): Promise<Expected<ConfigFile>> {
  if (text.trim() === "") return { ok: true, value: { path, values: {}, addons: {}, warnings: [] } };

  const parser = await import("jsonc-parser");
  const place = (offset: number, words: string): string => `${path}:${lineAt(text, offset)}: ${words}`;
  const parsed = parse(parser, text);
  if (!parsed.ok) return refuse(place(parsed.offset, parsed.words));

  const file: ConfigFile = { path, values: {}, addons: {}, warnings: [] };
  const repeated = repeatedKeys(parsed.root, parser.getNodeValue);
  for (const [key, { name, offset, value }] of repeated) {
    const words = place(offset, `"${name}" is there twice${name === key ? "" : ` in "${key}"`}`);
    const problem = onMistake(file, { key, value, problem: words });
    if (problem !== undefined) return refuse(problem);
  }
  for (const { key, node } of members(parsed.root).filter((one) => !repeated.has(one.key))) {
    const value: unknown = parser.getNodeValue(node);
    const mistake = readMember(file, key, value) ?? (key === "programs" ? await unclearRow(file) : undefined);
    if (!mistake) continue;
    const words = place(nearestNode(parser, node, mistake.at).offset, mistake.words);
    const problem = onMistake(file, { key, value, problem: words });
    if (problem !== undefined) return refuse(problem);
  }
  const warnings = file.warnings.map((warning) => `${path}: ${warning}`);
  return { ok: true, value: { ...file, warnings } };
}

type Parser = typeof jsonc;

/**
 * The parser is recursive: a file nested tens of thousands deep overflows the stack, which is reported as a mistake.
 */
function parse(
  parser: Parser,
  text: string,
): { ok: true; root: Node } | { ok: false; offset: number; words: string } {
  try {
    const errors: ParseError[] = [];
    const root = parser.parseTree(text, errors, { allowTrailingComma: true });
    const error = errors[0];
    if (error) {
      const words = `not valid JSON (${spacedWords(parser.printParseErrorCode(error.error))})`;
      return { ok: false, offset: error.offset, words };
    }
    if (root?.type === "object") return { ok: true, root };
    return { ok: false, offset: 0, words: "the file must be one object in braces" };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, offset: 0, words: "nested too deeply" };
    throw error;
  }
}

/** The node of a mistake, or the nearest ancestor present in the file. */
function nearestNode(parser: Parser, node: Node, at: Mistake["at"]): Node {
  const found = parser.findNodeAtLocation(node, at);
  return found ?? (at.length === 0 ? node : nearestNode(parser, node, at.slice(0, -1)));
}

/** The keys whose values are objects or lists rather than single options. */
export const sections = {
  providers: z.record(providerName, providerSchema),
  rules: z.array(checkedRule),
  autoApproveEdits: autoApproveEditsSchema,
  registries: registriesSchema,
  programs: z.array(commandRow),
  prices: z.record(pricedModel, priceSchema),
  lmServer: lmServerSchema,
  ...screenSections,
} as const;

const ownSections = z.partial(z.object(sections));
const addonSections = z.partial(z.object(addonSchemas));

/** A row is understood by what knows all programs: loaded with the first command, or with a row. */
async function unclearRow({ programs = [] }: ConfigFile): Promise<Mistake | undefined> {
  if (programs.length === 0) return undefined;
  const { problemIn } = await import("../safety/dangers/data/data-program.ts");
  for (const [at, row] of programs.entries()) {
    const problem = problemIn(row);
    if (problem !== undefined) return { at: [at], words: `"programs.${at}": ${problem}` };
  }
  return undefined;
}

/** What is wrong with a key's value, and the path to it. */
type Mistake = { at: (string | number)[]; words: string };

/** Reads one key into `file`. */
function readMember(file: ConfigFile, key: string, value: unknown): Mistake | undefined {
  if (key === "$schema") return undefined;
  if (key in sections) return take(ownSections, { key, value, into: file });
  if (key in addonSchemas) return take(addonSections, { key, value, into: file.addons });
  return readOption(file, key, value);
}

/** Validates one section as a member of an object, so that the type ties it to its field. */
function take<Read extends object>(
  schema: z.core.$ZodType<Read>,
  { key, value, into }: { key: string; value: unknown; into: NoInfer<Read> },
): Mistake | undefined {
  const read = z.safeParse(schema, { [key]: value }, { error: () => unsaid });
  if (!read.success) return mistakeOf(key, value, read.error);
  Object.assign(into, read.data);
  return undefined;
}

function readOption(file: ConfigFile, key: string, value: unknown): Mistake | undefined {
  const option = configOption(key);
  if (!option) {
    file.warnings.push(`there is no option "${key}"${didYouMean(key, configKeys)}; it is ignored`);
    return undefined;
  }
  const read = readValue(option, value, `"${key}"`);
  if (!read.ok) return { at: [], words: read.problem };
  file.values[option.name] = read.value;
  return undefined;
}

export const configKeys: readonly string[] = [
  ...configOptions.map(({ name }) => name),
  ...Object.keys(sections),
  ...Object.keys(addonSchemas),
];

/**
 * Describes the first mistake. Inside a provider or a rule an unknown key is a mistake, not a warning: dropping a
 * condition would widen the rule, dropping an address would send the key elsewhere.
 */
function mistakeOf(key: string, value: unknown, error: z.core.$ZodError): Mistake {
  const [first] = error.issues;
  const issue = first?.code === "invalid_union" ? meantIssue(first) : first;
  const at = (issue?.path ?? []).slice(1).filter((step) => typeof step !== "symbol");
  const label = `"${[key, ...at.map(String).map(quotedStep)].join(".")}"`;
  switch (issue?.code) {
    case "unrecognized_keys": {
      const known = Object.keys(shapeOf({ ...sections, ...addonSchemas }, [key, ...at]));
      const [unknown = ""] = issue.keys;
      const hint = didYouMean(unknown, known) || (known.length > 0 ? `; it has ${known.join(", ")}` : "");
      return { at: [...at, unknown], words: `${label} has no "${unknown}"${hint}` };
    }
    case "invalid_value": {
      const words = `${label} must be one of ${issue.values.join(", ")}`;
      const written = at.reduce(memberOf, value);
      const values = issue.values.map(String);
      return { at, words: typeof written === "string" ? words + didYouMean(written, values) : words };
    }
    case "invalid_key":
      return { at, words: `${label} must have ${names[key] ?? "a name without spaces and without / : #"}` };
    case "too_small":
      if (issue.message !== unsaid) return { at, words: `${label} must be ${issue.message}` };
      if (issue.origin === "string") return { at, words: `${label} must not be empty` };
      return { at, words: `${label} must be at least ${issue.minimum}` };
    case "too_big":
      if (issue.message !== unsaid) return { at, words: `${label} must be ${issue.message}` };
      return { at, words: `${label} must be at most ${issue.maximum}` };
    case "invalid_type":
      return { at, words: `${label} must be ${kinds[issue.expected] ?? issue.expected}` };
    default:
      return { at, words: `${label} must be ${issue?.message ?? "something else"}` };
  }
}

/** For a union without a message of its own, picks the issue of the alternative that matched furthest. */
function meantIssue(union: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue {
  if (union.message !== unsaid) return union;
  const firsts = union.errors.flatMap(([issue]) => issue ?? []);
  const furthest = firsts
    .filter(({ code }) => code !== "invalid_value")
    .toSorted((one, other) => depth(other) - depth(one));
  const [meant = union] = furthest;
  const whole: z.core.$ZodIssue = { ...meant, path: [...union.path, ...meant.path] };
  return whole.code === "invalid_union" && meant !== union ? meantIssue(whole) : whole;
}

/** At equal depth, prefers an issue that says more than "wrong type". */
const depth = ({ code, path }: z.core.$ZodIssue): number => path.length + (code === "invalid_type" ? 0 : 0.5);

/** Instead of Zod's own message, which depends on what else is loaded: the client for tool servers sets a language. */
const unsaid = "Invalid input";

const names: Readonly<Record<string, string>> = {
  prices: "a name like provider/model",
  lmServer: "a client's name of lower-case letters, digits and ._@-, 40 of them at most",
  mcpServers: "a name of letters, digits, _, - and ., 64 of them at most",
};

/** The members allowed in the object at this place; none if that may be one of several objects. */
function shapeOf(
  schemas: Readonly<Record<string, z.core.$ZodType>>,
  [key = "", ...at]: readonly (string | number)[],
): object {
  const within = (schema: z.core.$ZodType | undefined, steps: readonly (string | number)[]): object[] => {
    const [step, ...more] = steps;
    if (schema instanceof z.ZodMiniOptional) return within(schema.def.innerType, steps);
    if (schema instanceof z.ZodMiniUnion)
      return schema.def.options.flatMap((option) => within(option, steps));
    if (schema instanceof z.ZodMiniArray) return within(schema.def.element, more);
    if (schema instanceof z.ZodMiniRecord) return within(schema.def.valueType, more);
    if (!(schema instanceof z.ZodMiniObject)) return [];
    return step === undefined ? [schema.shape] : within(schema.shape[step], more);
  };
  const [shape = {}, ...others] = within(schemas[key], at);
  return others.length === 0 ? shape : {};
}

/** Quotes a glob among the keys, so that its dots are not taken for separators. */
const quotedStep = (step: string): string => (/[.\s]/u.test(step) ? `'${step}'` : step);

function memberOf(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return value[Number(step)];
  return isObject(value) ? value[step] : undefined;
}

const kinds: Readonly<Record<string, string>> = {
  int: "a whole number",
  string: "a text",
  number: "a number",
  array: "a list in brackets",
  object: "an object in braces",
  record: "an object in braces",
  boolean: "true or false",
};

function members(object: Node): { key: string; node: Node }[] {
  return (object.children ?? []).flatMap(({ children }) => {
    const [key, node] = children ?? [];
    return key && node ? [{ key: String(key.value), node }] : [];
  });
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split(/\r\n|\r|\n/u).length;

/** "CloseBraceExpected" → "close brace expected". */
const spacedWords = (code: string): string =>
  code
    .split(/(?=[A-Z])/u)
    .join(" ")
    .toLowerCase();
