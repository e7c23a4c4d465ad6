/** Opens a chosen model: queries what it can do, and picks the way in which it is asked to use tools. */

import { sha256 } from "../base/crypto.ts";
import { isObject } from "../base/json.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { allDialects } from "../dialects/index.ts";
import { showsThoughts } from "../dialects/reading/marks.ts";
import type { CallCounts, DialectRecord, ModelKey } from "../protocol/dialect-record.ts";
import { ModelError } from "../protocol/model-events.ts";
import { askedTemplate } from "./asked-template.ts";
import { providerBounds } from "./bounds.ts";
import type { ConstraintChoice, ModelCapabilities, SmallChoice, ConstraintKind } from "./capabilities.ts";
import { catalog, type Provider } from "./catalog.ts";
import { firstChat, listModels, type ModelChoice } from "./discover.ts";
import { formedModel } from "./formed-model.ts";
import { httpModel, type HttpModelOptions } from "./http-model.ts";
import type { Model } from "./provider.ts";
import { isFailing, rankWays } from "./rank-ways.ts";
import { fetchJson, type Server } from "./server.ts";
import { sightless } from "./sightless-model.ts";
import { isSmall, smallModel } from "./small-model.ts";
import { switching } from "./switching-model.ts";
import { chosenWay, nativeName, waysOf, type HeldBy, type ModelWays } from "./ways.ts";
import { withoutEcho } from "./without-echo.ts";

export type OpenOptions = Pick<
  HttpModelOptions,
  "contextTokens" | "reasoning" | "maxTokens" | "timeouts" | "retry"
> & {
  /** A dialect to teach even if the model has native tools; "native" forces native tools. Absent: by capabilities. */
  dialect?: Dialect | "native" | undefined;
  constraint?: ConstraintChoice | undefined;
  small?: SmallChoice | undefined;
  /** Told what the opening waits for, in a sentence. */
  told?: ((words: string) => void) | undefined;
  /** Find out everything that the server can do, because it is to be measured. */
  measures?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

/** Records how well the model writes its calls. Without it nothing is remembered. */
export type Memory = {
  recall(model: ModelKey): Promise<readonly DialectRecord[]>;
  counted(model: ModelKey, dialect: string, counts: CallCounts): void;
};

/** A model that can be asked, and the ways to have it use tools. */
export type PreparedModel = {
  key: ModelKey;
  /** The model itself, without any dialect. */
  bare: Model;
  /** The ways in their default order, regardless of experience. */
  usual: ModelWays;
  /** How the server could hold the model to a form. */
  held: HeldBy;
  /** What was learnt of it before. */
  records: readonly DialectRecord[];
  /** Whether it is asked as small models are. */
  isBrief: boolean;
};

/** Throws ModelError if the server does not answer or has no such model. */
export async function openModel(
  choice: ModelChoice,
  options: OpenOptions = {},
  memory?: Memory,
): Promise<Model> {
  const { key, bare, usual, records, isBrief } = await prepareModel(choice, options, memory);
  const isFixed = options.dialect !== undefined;
  const ways = isFixed ? usual : rankWays(usual, records);
  const counted = (dialect: string, counts: CallCounts): void => memory?.counted(key, dialect, counts);
  const model = switching(bare, ways, { counted });
  return isBrief ? smallModel(model) : model;
}

/** Without `memory` nothing counts that was learnt before. Throws ModelError as `openModel` does. */
export async function prepareModel(
  choice: ModelChoice,
  options: OpenOptions = {},
  memory?: Memory,
): Promise<PreparedModel> {
  const { dialect, constraint, small, measures, signal, told, ...rest } = options;
  const { provider } = choice;
  const server = { ...choice.server, told };
  const listed = choice.model === undefined ? await firstListed({ provider, server }, signal) : undefined;
  const model = listed?.id ?? choice.model ?? "";
  const capabilities: ModelCapabilities = (await provider.describe?.(server, model, signal)) ?? {
    tools: true,
    contextTokens: listed?.contextTokens ?? provider.contextTokens,
  };
  const contextTokens = rest.contextTokens ?? capabilities.contextTokens;
  const open = provider.open ?? httpModel;
  const key: ModelKey = { server: addressOf(server.baseUrl), model, template: hashOf(capabilities) };
  const records = (await memory?.recall(key)) ?? [];
  const keep = memory && ((record: string) => memory.counted(key, record, nothingCounted));
  const known = provider.constraints ?? (await constraintsOf(server, options));
  const held: HeldBy = {
    wire: server.wire,
    choice: constraint,
    // Whoever demands it has it tried again.
    thinks: capabilities.reasoning === true || showsThoughts(capabilities.template ?? "", allDialects),
    constraints: constraint === "on" ? known : await withoutRefused(known, records, choice),
    refused: keep && ((kind) => void keepRefusal(kind, keep, choice)),
  };
  const asked = formedModel(open({ ...rest, server, model, contextTokens }, capabilities), held);
  const seeing = withoutEcho(asked);
  const bare = capabilities.images === false ? sightless(seeing) : seeing;
  // Rendering it takes a process: what is asked natively needs none.
  const isWanted = measures === true || !capabilities.tools || isFailing(countsOf(records, nativeName));
  const usual =
    dialect === undefined
      ? waysOf(bare, {
          ...held,
          model,
          capabilities,
          asked: isWanted ? await askedTemplate({ model, capabilities, records, keep, signal }) : undefined,
        })
      : chosenWay(bare, dialect, held);
  const isBrief =
    measures !== true && (await isSmall({ choice: small, provider, server, model, capabilities, listed }));
  return { key, bare, usual, held, records, isBrief };
}

const nothingCounted: CallCounts = { calls: 0, repairs: 0, refusals: 0 };

const countsOf = (records: readonly DialectRecord[], name: string): CallCounts | undefined =>
  records.find(({ dialect }) => dialect === name)?.counts;

/** The address as it may be stored: without its password. */
function addressOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return "";
  const { origin, pathname } = new URL(baseUrl);
  return origin + pathname.replace(/\/+$/, "");
}

const hashOf = ({ template }: ModelCapabilities): string =>
  template === undefined || template === "" ? "" : sha256(Buffer.from(template));

async function firstListed(
  { provider, server }: Pick<ModelChoice, "provider" | "server">,
  signal: AbortSignal | undefined,
) {
  const model = firstChat(await listModels(provider, server, signal ? { signal } : {}));
  if (model) return model;
  throw new ModelError("unknown-model", `${provider.title} lists no model.`, {
    advice: `Load one, or name it: ${provider.name}/….`,
  });
}

/** Who serves a model, as servers write it in their lists of models: the names of rows in the catalog. */
const owners: Readonly<Record<string, string>> = {
  llamacpp: "llamacpp",
  vllm: "vllm",
  sglang: "sglang",
  organization_owner: "lmstudio",
};

/** Asked only where a dialect is taught or constraints are wanted; undefined if the server does not tell. */
async function constraintsOf(
  server: Server,
  { dialect, constraint, measures, signal }: AskedFor,
): Promise<readonly ConstraintKind[] | undefined> {
  const isWanted =
    measures === true || constraint === "on" || (dialect !== undefined && dialect !== "native");
  if (server.wire !== "openai-chat" || constraint === "off" || !isWanted) return undefined;
  try {
    const list = await fetchJson(server, "/models", {
      withinMs: providerBounds.selfDescription.most,
      signal,
    });
    const rows = isObject(list) && Array.isArray(list["data"]) ? list["data"] : [];
    const names = rows.map((row) => (isObject(row) ? row["owned_by"] : undefined));
    const name = names.find((one) => typeof one === "string" && Object.hasOwn(owners, one));
    return catalog.find((row) => typeof name === "string" && row.name === owners[name])?.constraints;
  } catch (error) {
    if (!(error instanceof ModelError) || signal?.aborted === true) throw error;
    return undefined;
  }
}

type AskedFor = {
  dialect?: unknown;
  constraint?: ConstraintChoice | undefined;
  measures?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

type AskedServer = { provider: Pick<Provider, "version">; server: Server };

/** A refusal stands among the records of the model's dialects, under a name that no dialect has. */
const recordName = (kind: ConstraintKind, version: string): string => `${start}${kind}, ${version}`;
const start = "refused: ";

/** The server is asked for its version only if it ever refused something. */
async function withoutRefused(
  kinds: readonly ConstraintKind[] | undefined,
  records: readonly DialectRecord[],
  asked: AskedServer,
): Promise<readonly ConstraintKind[] | undefined> {
  const refused = new Set(records.map(({ dialect }) => dialect).filter((name) => name.startsWith(start)));
  if (kinds === undefined || refused.size === 0) return kinds;
  const version = await versionOf(asked);
  return version === undefined ? kinds : kinds.filter((kind) => !refused.has(recordName(kind, version)));
}

/** Not remembered where the server does not tell its version: it could never be forgotten. */
async function keepRefusal(
  kind: ConstraintKind,
  keep: (record: string) => void,
  asked: AskedServer,
): Promise<void> {
  const version = await versionOf(asked);
  if (version !== undefined) keep(recordName(kind, version));
}

async function versionOf({ provider, server }: AskedServer): Promise<string | undefined> {
  if (provider.version === undefined) return undefined;
  const { path, field } = provider.version;
  const root: Server = { ...server, baseUrl: server.baseUrl.replace(/\/v1\/?$/u, "") };
  try {
    const told = await fetchJson(root, path, { withinMs: providerBounds.selfDescription.most });
    const version = isObject(told) ? told[field] : undefined;
    return typeof version === "string" && version !== "" ? version : undefined;
  } catch (error) {
    if (error instanceof ModelError) return undefined;
    throw error;
  }
}
