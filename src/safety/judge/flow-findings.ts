/** The severity of sending, fetching or running data, by its source. */

import { type Flow, unknown, type Word } from "../command-line/word.ts";
import { type Finding, finding } from "../judgement.ts";

/** The finding for running text from these sources as code, or as the name of a program. */
export function runsFlow(flows: ReadonlySet<Flow>): Finding | undefined {
  if (flows.has("network")) return finding("critical", "it runs what it fetches from the network");
  if (flows.has("decoded")) return finding("critical", "it runs text that is hidden by an encoding");
  return undefined;
}

type OutgoingData = {
  to: Word | undefined;
  flows: ReadonlySet<Flow>;
  files: readonly { secret: boolean; outside: boolean; shown: string }[];
};

export function sendFinding({ to, flows, files }: OutgoingData): Finding | undefined {
  const where = shownHost(to);
  const secret = files.find((file) => file.secret);
  if (secret) return finding("critical", `it sends ${secret.shown}${where}`);
  if (flows.has("secret")) return finding("critical", `it sends keys or other secrets${where}`);
  if (isLoopback(to)) return undefined;
  const outside = files.find((file) => file.outside);
  if (outside)
    return finding("critical", `it sends ${outside.shown}, which lies outside the workspace,${where}`);
  if (flows.has("private")) return finding("critical", `it sends data of this machine${where}`);
  return finding("high", `it sends data${where}`);
}

/** A plain request sends its address and what else it is given: `headers`, a name to log in with. */
export function fetchFinding(from: Word | undefined, given: ReadonlySet<Flow>): Finding | undefined {
  if (!from || isLoopback(from)) return undefined;
  if (given.has("secret") && !from.carries.has("secret"))
    return finding("critical", `it sends keys or other secrets with its request${shownHost(from)}`);
  if (from.carries.has("secret"))
    return finding("critical", `it sends keys or other secrets in the address ${shownText(from)}`);
  if (from.carries.has("private"))
    return finding("high", `it sends data of this machine in the address ${shownText(from)}`);
  return undefined;
}

const shownText = ({ text }: Word): string => text.replaceAll(unknown, "…");
const shownHost = (to: Word | undefined): string =>
  to === undefined ? " to another machine" : ` to ${shownText(to)}`;

const loopback =
  /^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1|0\.0\.0\.0|[\w-]+\.localhost)(?::\d+)?(?:[/?#].*)?$/iu;

/** Whether the address belongs to this machine. */
export const isLoopback = (address: Word | undefined): boolean =>
  address !== undefined && loopback.test(address.text.replaceAll(unknown, "x"));
