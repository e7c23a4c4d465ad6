/** Which ways of holding a model to a form its server has refused: remembered until that server is another version. */

import { isObject } from "../base/json.ts";
import type { DialectRecord } from "../protocol/dialect-record.ts";
import { ModelError } from "../protocol/model-events.ts";
import { providerBounds } from "./bounds.ts";
import type { ConstraintKind } from "./capabilities.ts";
import type { Provider } from "./catalog.ts";
import { fetchJson, type Server } from "./server.ts";

type AskedServer = { provider: Pick<Provider, "version">; server: Server };

/** A refusal stands among the records of the model's dialects, under a name that no dialect has. */
const recordName = (kind: ConstraintKind, version: string): string => `${start}${kind}, ${version}`;
const start = "refused: ";

/** The server is asked for its version only if it ever refused something. */
export async function withoutRefused(
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
export async function keepRefusal(
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
