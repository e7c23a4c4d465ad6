/** Opens the port, or says in plain words why that failed. */

import type { Server } from "node:http";
import { type Expected, errorMessage } from "../base/expected.ts";

/** The port actually bound. */
export async function listening(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<Expected<number>> {
  const opened = Promise.withResolvers<void>();
  server.once("error", opened.reject);
  server.listen({ host, port }, () => opened.resolve());
  try {
    await opened.promise;
  } catch (error) {
    return { ok: false, problem: wordsOf(error, host, port) };
  } finally {
    server.off("error", opened.reject);
  }
  const address = server.address();
  return { ok: true, value: typeof address === "object" && address ? address.port : port };
}

function wordsOf(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "EADDRINUSE")
    return `Port ${port} is in use by another program: choose another one with --port, or 0 for any that is free.`;
  if (code === "EACCES")
    return `Port ${port} is not for ordinary programs here: choose one above 1023 with --port.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `${JSON.stringify(host)} is not an address of this machine: give another one with --host.`;
  return `Port ${port} cannot be opened: ${errorMessage(error)}.`;
}
