/** Stores the result of a login at a server, tokens and client registration, in a file that only its owner can read. */

import { join } from "node:path";
import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { mostStateFileBytes } from "../../base/bounds.ts";
import { sha256 } from "../../base/crypto.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { makeDirectory, readRegularFile, removeFile, writeAtomically } from "../../base/safe-fs/own-files.ts";

export type Login = { tokens?: StoredOAuthTokens; client?: StoredOAuthClientInformation };

export type LoginStore = {
  read(): Promise<Login>;
  write(login: Login): Promise<void>;
  forget(): Promise<void>;
};

/** Keyed by name and address: a server with another address is another server. */
export function loginStore(stateDir: string, server: { name: string; url: string }): LoginStore {
  const key = sha256(new TextEncoder().encode(JSON.stringify([server.name, server.url]))).slice(0, 32);
  const path = join(stateDir, "mcp", `login-${key}.json`);
  return {
    async read() {
      const read = await readRegularFile(path, { maxBytes: mostStateFileBytes });
      const json = read.ok ? parseJson(new TextDecoder().decode(read.value)) : undefined;
      return json?.ok && isObject(json.value) ? loginIn(json.value) : {};
    },
    async write(login) {
      await makeDirectory(join(stateDir, "mcp"), 0o700);
      const bytes = new TextEncoder().encode(`${JSON.stringify({ server, ...login })}\n`);
      const written = await writeAtomically(path, bytes, 0o600);
      if (!written.ok) throw new Error(`${written.problem.message}. The login is not kept.`);
    },
    async forget() {
      await removeFile(path);
    },
  };
}

/** Only we write this file; still, every field is validated. */
function loginIn({ tokens, client }: Record<string, unknown>): Login {
  return {
    ...(areTokens(tokens) ? { tokens } : {}),
    ...(isClient(client) ? { client } : {}),
  };
}

const areTokens = (value: unknown): value is StoredOAuthTokens =>
  isObject(value) && typeof value["access_token"] === "string" && typeof value["token_type"] === "string";

const isClient = (value: unknown): value is StoredOAuthClientInformation =>
  isObject(value) && typeof value["client_id"] === "string";
