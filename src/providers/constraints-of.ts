/** Learns from an unknown server what it is, and so what it can hold a model to. */

import { isObject } from "../base/json.ts";
import { ModelError } from "../protocol/model-events.ts";
import { providerBounds } from "./bounds.ts";
import type { ConstraintChoice, ConstraintKind } from "./capabilities.ts";
import { catalog } from "./catalog.ts";
import { fetchJson, type Server } from "./server.ts";

/** Who serves a model, as servers write it in their lists of models: the names of rows in the catalog. */
const owners: Readonly<Record<string, string>> = {
  llamacpp: "llamacpp",
  vllm: "vllm",
  sglang: "sglang",
  organization_owner: "lmstudio",
};

/** Asked only where a dialect is taught or constraints are wanted; undefined if the server does not tell. */
export async function constraintsOf(
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
