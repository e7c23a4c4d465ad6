/** Stores the result of a login at a server, tokens and client registration, in a file that only its owner can read. */

import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { isObject } from "../../base/json.ts";
import { serverFile } from "./server-file.ts";

export type Login = { tokens?: StoredOAuthTokens; client?: StoredOAuthClientInformation };

export type LoginStore = {
  read(): Promise<Login>;
  write(login: Login): Promise<void>;
  forget(): Promise<void>;
};

export function loginStore(stateDir: string, server: { name: string; url: string }): LoginStore {
  const file = serverFile(stateDir, "login", { name: server.name, identity: server.url });
  return {
    read: async () => loginIn(await file.read()),
    async write(login) {
      const written = await file.write({ server, ...login });
      if (!written.ok) throw new Error(`${written.problem.message}. The login is not kept.`);
    },
    forget: async () => void (await file.remove()),
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
