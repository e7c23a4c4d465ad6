/** Stores a hash of each server's tools at their first use, so that changed tools are noticed. */

import { sha256 } from "../../base/crypto.ts";
import { isObject, type JsonObject, jsonInOrder } from "../../base/json.ts";
import { serverFile, type ServerIdentity } from "./server-file.ts";

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

export type Pins = {
  read(): Promise<DefinitionHashes>;
  write(pinned: DefinitionHashes): Promise<void>;
};

export function openPins(stateDir: string, server: ServerIdentity): Pins {
  const file = serverFile(stateDir, "tools", server);
  return {
    async read() {
      const { tools } = await file.read();
      const entries = isObject(tools) ? Object.entries(tools) : [];
      return new Map(entries.flatMap(([name, hash]) => (typeof hash === "string" ? [[name, hash]] : [])));
    },
    async write(pinned) {
      // If this fails, the next session treats the tools as first seen.
      await file.write({ server: server.name, tools: Object.fromEntries(pinned) });
    },
  };
}
