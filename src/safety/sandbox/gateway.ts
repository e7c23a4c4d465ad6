/** The way out of a command that may reach hosts: the proxy's socket, which `forwarder.ts` leads to from inside. */

import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import { randomHex } from "../../base/crypto.ts";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";
import { proxySocket } from "./forwarder.ts";
import type { SandboxMount } from "./mounts.ts";
import type { ProxyRefusal } from "./proxy.ts";
import { publicRegistries, usersRegistries } from "./registries.ts";
import type { CheckedRequest } from "./request.ts";
import { ownDirectory } from "./runs.ts";

export type NetworkGateway = {
  mount: SandboxMount;
  /** Closes the proxy and resolves to one sentence per refused host. */
  close(): Promise<string[]>;
};

/** `only`: hosts that this command is given, in place of the registries. */
export async function openGateway(
  { stateDir, home, env, hosts }: CheckedRequest,
  only?: readonly string[],
): Promise<NetworkGateway> {
  const { openProxy } = await import("./proxy.ts");
  const directory = ownDirectory(stateDir);
  makeDirectorySync(directory, 0o700);
  const name = `${randomHex(6)}.sock`;
  // A socket path is limited in length and a state directory's may exceed it; a path via the descriptor never does.
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  const rules = only
    ? { public: [], named: only, isGiven: true }
    : { public: publicRegistries, named: [...hosts, ...usersRegistries(home, env)] };
  const proxy = await openProxy(`/proc/self/fd/${descriptor}/${name}`, rules, env).catch((error: unknown) => {
    closeSync(descriptor);
    throw error;
  });
  return {
    mount: { kind: "writable", path: proxySocket, from: join(directory, name) },
    async close() {
      await proxy.close();
      closeSync(descriptor);
      return proxy.refused().map((refusal) => refusedWarning(refusal, only));
    },
  };
}

/** A command that was held to hosts of its own may be given another one; what installs reach is for a person to say. */
function refusedWarning({ problem, target }: ProxyRefusal, only?: readonly string[]): string {
  if (!only)
    return `${problem}. A person can add the host to those that installs may reach, or approve the command to run in the open.`;
  if (target === undefined) return `${problem}.`;
  const wanted = JSON.stringify([...new Set([...only, target])]);
  return `${problem}. If it needs that, run the same command once more with outside: ${wanted}; the user is asked.`;
}
