/** Opens a chosen model: queries what it can do, and picks the way in which it is asked to use tools. */

import { sha256 } from "../base/crypto.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { allDialects } from "../dialects/index.ts";
import { showsThoughts } from "../dialects/reading/marks.ts";
import type { CallCounts, DialectRecord, ModelKey } from "../protocol/dialect-record.ts";
import { ModelError } from "../protocol/model-events.ts";
import { askedTemplate } from "./asked-template.ts";
import type { ConstraintChoice, ModelCapabilities, SmallChoice } from "./capabilities.ts";
import { keepRefusal, withoutRefused } from "./constraint-refusals.ts";
import { constraintsOf } from "./constraints-of.ts";
import { firstChat, listModels, type ModelChoice } from "./discover.ts";
import { formedModel } from "./formed-model.ts";
import { httpModel, type HttpModelOptions } from "./http-model.ts";
import type { Model } from "./provider.ts";
import { isFailing, rankWays } from "./rank-ways.ts";
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
    advice: `Load one, or name it with --model ${provider.name}/….`,
  });
}
