/** Checks whether an address accepts connections: connects and disconnects without sending anything. */

import { connect } from "node:net";

/** Connection attempt by `doctor`, in milliseconds. */
const connectTimeMs = 3_000;

/** Why connecting to this URL failed, in a few words; undefined if it succeeded. */
export async function connectProblem(address: string): Promise<string | undefined> {
  if (!URL.canParse(address)) return "it is no address";
  const { hostname, port, protocol } = new URL(address);
  const usual = protocol === "https:" ? 443 : 80;
  const host = hostname.replaceAll(/^\[|\]$/gu, "");
  const ended = Promise.withResolvers<string | undefined>();
  const socket = connect({ host, port: port === "" ? usual : Number(port) });
  const most = connectTimeMs;
  socket.setTimeout(most, () => ended.resolve(`nothing answered within ${most / 1000} s`));
  socket.once("connect", () => ended.resolve(undefined));
  socket.once("error", (error) => ended.resolve("code" in error ? String(error.code) : error.message));
  try {
    return await ended.promise;
  } finally {
    socket.destroy();
  }
}
