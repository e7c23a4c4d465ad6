/** Stores a hash of each server's tools at their first use, so that changed tools are noticed. */

import { join } from "node:path";
import { mostStateFileBytes } from "../../base/bounds.ts";
import { sha256 } from "../../base/crypto.ts";
import { isObject, type JsonObject, jsonInOrder, parseJson } from "../../base/json.ts";
import { makeDirectory, readRegularFile, writeAtomically } from "../../base/safe-fs/own-files.ts";

/** Hashes of tool definitions by `pinName`, oldest first. */
type DefinitionHashes = ReadonlyMap<string, string>;

/** Long names are hashed, so that the file stays below the size limit for reading it. */
export const pinName = (tool: string): string =>
  tool.length <= longestName ? tool : `sha256:${sha256(new TextEncoder().encode(tool))}`;

/** Shorter than a hash, so the two cannot collide. */
const longestName = 64;

const telling = ["name", "title", "description", "inputSchema", "annotations"] as const;

/** Independent of the order of keys. */
export function definitionHash(definition: JsonObject): string {
  const told = Object.fromEntries(
    telling.flatMap((key) => (key in definition ? [[key, definition[key] ?? null]] : [])),
  );
  return sha256(new TextEncoder().encode(jsonInOrder(told)));
}

/** `identity`: the server's command line or address: another program of the same name is another server. */
export type Pins = {
  read(): Promise<DefinitionHashes>;
  write(pinned: DefinitionHashes): Promise<void>;
};

export function openPins(stateDir: string, server: { name: string; identity: string }): Pins {
  const key = sha256(new TextEncoder().encode(JSON.stringify([server.name, server.identity]))).slice(0, 32);
  const path = join(stateDir, "mcp", `tools-${key}.json`);
  return {
    async read() {
      const read = await readRegularFile(path, { maxBytes: mostStateFileBytes });
      const json = read.ok ? parseJson(new TextDecoder().decode(read.value)) : undefined;
      const tools = json?.ok && isObject(json.value) ? json.value["tools"] : undefined;
      const entries = isObject(tools) ? Object.entries(tools) : [];
      return new Map(entries.flatMap(([name, hash]) => (typeof hash === "string" ? [[name, hash]] : [])));
    },
    async write(pinned) {
      await makeDirectory(join(stateDir, "mcp"), 0o700).catch(() => undefined);
      const kept = { server: server.name, tools: Object.fromEntries(pinned) };
      // If this fails, the next session treats the tools as first seen.
      await writeAtomically(path, new TextEncoder().encode(`${JSON.stringify(kept)}\n`), 0o600);
    },
  };
}
