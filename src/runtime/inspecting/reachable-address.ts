/** Whether something listens at an address: a connection is made and closed, and nothing is sent. */

import { connect } from "node:net";
import { bounds } from "../../base/bounds.ts";

/** Why nothing could be connected to at this URL, in a few words; undefined where something listens. */
export async function connectProblem(address: string): Promise<string | undefined> {
  if (!URL.canParse(address)) return "it is no address";
  const { hostname, port, protocol } = new URL(address);
  const usual = protocol === "https:" ? 443 : 80;
  const host = hostname.replaceAll(/^\[|\]$/gu, "");
  const ended = Promise.withResolvers<string | undefined>();
  const socket = connect({ host, port: port === "" ? usual : Number(port) });
  const most = bounds.screen.connectTime.most;
  socket.setTimeout(most, () => ended.resolve(`nothing answered within ${most / 1000} s`));
  socket.once("connect", () => ended.resolve(undefined));
  socket.once("error", (error) => ended.resolve("code" in error ? String(error.code) : error.message));
  try {
    return await ended.promise;
  } finally {
    socket.destroy();
  }
}
