/** Reads one configuration file (JSON with comments) into checked values, and says the line of what is wrong. */
import type * as jsonc from "jsonc-parser";
import type { Node, ParseError } from "jsonc-parser";
import * as z from "zod/mini";
import { isObject, type Parsed } from "../base/json.ts";
import { wireNames } from "../wires/wire.ts";
import { lmServerSchema, type LmServerSettings } from "./lm-server-settings.ts";
import { didYouMean } from "./nearest.ts";
import { options, readValue, type Values } from "./options.ts";

/** One provider of the file: another key or address for a known one, or a server of the user's own. */
export const providerSchema = z.strictObject({
  baseUrl: z.optional(
    z
      .string()
      .check(z.regex(/^https?:\/\/\S+$/u, "an address that begins with http:// or https://"))
      .check(z.describe('Where its API is, with any version prefix: "http://localhost:8000/v1".')),
  ),
  key: z.optional(z.string().check(z.describe("The key itself. It is never logged."))),
  keyVariable: z.optional(z.string().check(z.describe("Or the environment variable that holds the key."))),
  wire: z.optional(
    z
      .enum(wireNames)
      .check(z.describe("The format it speaks. A server of your own is taken for OpenAI-compatible.")),
  ),
  models: z.optional(
    z
      .array(z.string())
      .check(
        z.describe(
          "Its models, for a server that does not list them itself. The first is used when none is named.",
        ),
      ),
  ),
});

const filled = () => z.string().check(z.regex(/\S/u, "a text that is not empty"));

export const ruleSchema = z.strictObject({
  tool: filled().check(z.describe('The name of a tool, or "*" for all.')),
  path: z.optional(
    filled().check(z.describe('Only for these paths: a glob such as "docs/**"; "~/" is your home.')),
  ),
  command: z.optional(
    filled().check(
      z.describe(
        'Only for these commands; `*` stands for anything, a last ` *` also for nothing: "npm test *".',
      ),
    ),
  ),
  upTo: z.optional(
    z
      .enum(["medium", "high"])
      .check(
        z.describe("Of an allow: the highest risk that it covers; high unless told. Critical always asks."),
      ),
  ),
  decision: z.enum(["allow", "ask", "deny"]).check(z.describe("What happens.")),
});

/** A limit that limits nothing was meant otherwise. */
const checkedRule = ruleSchema.check(
  z.refine(({ upTo, decision }) => upTo === undefined || decision === "allow", {
    path: ["upTo"],
    error: 'left out: only a rule with "decision": "allow" has a limit',
  }),
);

/** As it was written by earlier agents: glob → whether an edit of such a file needs no question of its own. */
export const autoApproveEditsSchema = z.record(z.string(), z.boolean());

/** A host as a URL has it, with its port unless that is 80 or 443; `*.` in front stands for all below. */
export const registriesSchema = z.array(
  z.string().check(z.regex(/^(?:\*\.)?[\w.-]+(?::\d{1,5})?$/u, 'a host such as "npm.example.org"')),
);

const dollars = (what: string) =>
  z.number().check(z.minimum(0, "an amount in dollars, not below 0"), z.describe(what));

/** What a model costs, in US dollars for a million tokens. */
export const priceSchema = z.strictObject({
  input: dollars("Of the prompt."),
  output: dollars("Of the answer, reasoning included."),
  cacheRead: z.optional(dollars("Of the prompt, read from the provider's cache; as `input` unless told.")),
  cacheWrite: z.optional(dollars("Of the prompt, written to that cache; as `input` unless told.")),
});

/** "provider/model", or a pattern of such names. */
const pricedModel = z.string().check(z.regex(/^[^\s*]+\/\S+$|\*/u));

/** As it is written before the slash of "provider/model". */
const providerName = z.string().check(z.regex(/^[^\s/:#]+$/u));

export type ProviderSettings = z.infer<typeof providerSchema>;
type Providers = Record<string, ProviderSettings>;
type Rules = z.infer<typeof ruleSchema>[];
type Prices = Record<string, z.infer<typeof priceSchema>>;

/** What a file says; a key that is absent is not there. */
export type ConfigFile = {
  path: string;
  values: Values;
  providers?: Providers;
  rules?: Rules;
  autoApproveEdits?: Record<string, boolean>;
  registries?: string[];
  prices?: Prices;
  lmServer?: LmServerSettings;
  warnings: string[];
};

/** `path` is for messages. This module is loaded only when there is a file: its schemas and parser take 10 ms. */
export async function readConfigFile(path: string, text: string): Promise<Parsed<ConfigFile>> {
  if (text.trim() === "") return { ok: true, value: { path, values: {}, warnings: [] } };

  const parser = await import("jsonc-parser");
  const problem = (offset: number, words: string): Parsed<never> => ({
    ok: false,
    problem: `${path}:${lineAt(text, offset)}: ${words}`,
  });
  const parsed = parse(parser, text);
  if (!parsed.ok) return problem(parsed.offset, parsed.words);

  const file: ConfigFile = { path, values: {}, warnings: [] };
  for (const { key, node } of members(parsed.root)) {
    const mistake = readMember(file, key, parser.getNodeValue(node));
    if (mistake) return problem(nearestNode(parser, node, mistake.at).offset, mistake.words);
  }
  const warnings = file.warnings.map((warning) => `${path}: ${warning}`);
  return { ok: true, value: { ...file, warnings } };
}

type Parser = typeof jsonc;

/** The parser descends by recursion: a file nested tens of thousands deep ends its stack, and that is a mistake too. */
function parse(
  parser: Parser,
  text: string,
): { ok: true; root: Node } | { ok: false; offset: number; words: string } {
  try {
    const errors: ParseError[] = [];
    const root = parser.parseTree(text, errors, { allowTrailingComma: true });
    const error = errors[0];
    if (error) {
      const words = `not valid JSON (${spaced(parser.printParseErrorCode(error.error))})`;
      return { ok: false, offset: error.offset, words };
    }
    if (root?.type === "object") return { ok: true, root };
    return { ok: false, offset: 0, words: "the file must be one object in braces" };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, offset: 0, words: "nested too deeply" };
    throw error;
  }
}

/** The place of a mistake, or of what should have held it. */
function nearestNode(parser: Parser, node: Node, at: Mistake["at"]): Node {
  const found = parser.findNodeAtLocation(node, at);
  return found ?? (at.length === 0 ? node : nearestNode(parser, node, at.slice(0, -1)));
}

/** What is wrong with a key's value, and where below it. */
type Mistake = { at: (string | number)[]; words: string };

/** Reads one key into `file`. */
function readMember(file: ConfigFile, key: string, value: unknown): Mistake | undefined {
  if (key === "$schema") return undefined;
  const take = <T>(
    read: z.core.util.SafeParseResult<T>,
    keep: (value: T) => unknown,
  ): Mistake | undefined => {
    if (!read.success) return mistakeOf(key, value, read.error);
    keep(read.data);
    return undefined;
  };
  switch (key) {
    case "providers":
      return take(
        z.safeParse(z.record(providerName, providerSchema), value),
        (read) => (file.providers = read),
      );
    case "rules":
      return take(z.safeParse(z.array(checkedRule), value), (read) => (file.rules = read));
    case "autoApproveEdits":
      return take(z.safeParse(autoApproveEditsSchema, value), (read) => (file.autoApproveEdits = read));
    case "registries":
      return take(z.safeParse(registriesSchema, value), (read) => (file.registries = read));
    case "prices":
      return take(z.safeParse(z.record(pricedModel, priceSchema), value), (read) => (file.prices = read));
    case "lmServer":
      return take(z.safeParse(lmServerSchema, value), (read) => (file.lmServer = read));
    default:
      return readOption(file, key, value);
  }
}

function readOption(file: ConfigFile, key: string, value: unknown): Mistake | undefined {
  const option = options.find(({ name, inConfig }) => inConfig && name === key);
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
  ...options.filter(({ inConfig }) => inConfig).map(({ name }) => name),
  "providers",
  "rules",
  "autoApproveEdits",
  "registries",
  "prices",
  "lmServer",
];

/**
 * The first thing wrong, in words. Inside a provider or a rule an unknown key is a mistake, not a warning:
 * a condition left out would widen the rule, an address left out would send the key elsewhere.
 */
function mistakeOf(key: string, value: unknown, error: z.core.$ZodError): Mistake {
  const [issue] = error.issues;
  const at = (issue?.path ?? []).filter((step) => typeof step !== "symbol");
  const label = `"${[key, ...at.map(String).map(quotedStep)].join(".")}"`;
  switch (issue?.code) {
    case "unrecognized_keys": {
      const known = Object.keys(shapeOf(key));
      const [unknown = ""] = issue.keys;
      const hint = didYouMean(unknown, known) || `; it has ${known.join(", ")}`;
      return { at: [...at, unknown], words: `${label} has no "${unknown}"${hint}` };
    }
    case "invalid_value": {
      const words = `${label} must be one of ${issue.values.join(", ")}`;
      const written = at.reduce(memberOf, value);
      const values = issue.values.map(String);
      return { at, words: typeof written === "string" ? words + didYouMean(written, values) : words };
    }
    case "invalid_key":
      return {
        at,
        words: `${label} must have ${key === "prices" ? "a name like provider/model" : "a name without spaces and without / : #"}`,
      };
    case "invalid_type":
      return { at, words: `${label} must be ${kinds[issue.expected] ?? issue.expected}` };
    default:
      return { at, words: `${label} must be ${issue?.message ?? "something else"}` };
  }
}

const shapes: Readonly<Record<string, object>> = {
  rules: ruleSchema.shape,
  prices: priceSchema.shape,
  lmServer: lmServerSchema.shape,
};

const shapeOf = (key: string): object => shapes[key] ?? providerSchema.shape;

/** A glob among the keys is told from the dots between them. */
const quotedStep = (step: string): string => (/[.\s]/u.test(step) ? `'${step}'` : step);

function memberOf(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return value[Number(step)];
  return isObject(value) ? value[step] : undefined;
}

const kinds: Readonly<Record<string, string>> = {
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
const spaced = (code: string): string =>
  code
    .split(/(?=[A-Z])/u)
    .join(" ")
    .toLowerCase();
