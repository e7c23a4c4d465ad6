/** Keeps JSON about one server between sessions, in a file that only its owner can read. */

import { join } from "node:path";
import { mostStateFileBytes } from "../../base/bounds.ts";
import { sha256 } from "../../base/crypto.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { makeDirectory, readRegularFile, removeFile, writeAtomically } from "../../base/safe-fs/own-files.ts";

/** `identity`: what tells the server from another of the same name: its command line or its address. */
export type ServerIdentity = { name: string; identity: string };

export function serverFile(stateDir: string, what: string, { name, identity }: ServerIdentity) {
  const directory = join(stateDir, "mcp");
  const key = sha256(new TextEncoder().encode(JSON.stringify([name, identity]))).slice(0, 32);
  const path = join(directory, `${what}-${key}.json`);
  return {
    /** Empty if there is none that can be read. */
    async read(): Promise<Record<string, unknown>> {
      const read = await readRegularFile(path, { maxBytes: mostStateFileBytes });
      const json = read.ok ? parseJson(new TextDecoder().decode(read.value)) : undefined;
      return json?.ok && isObject(json.value) ? json.value : {};
    },
    async write(content: object): ReturnType<typeof writeAtomically> {
      await makeDirectory(directory, 0o700);
      return writeAtomically(path, new TextEncoder().encode(`${JSON.stringify(content)}\n`), 0o600);
    },
    remove: () => removeFile(path),
  };
}
