/** What a program asks of other machines, where that is all that its words let out: a remote's name, or an address. */

import { isLiteral } from "../command-line/word.ts";
import { remotesFetched } from "./git/fetching.ts";
import type { Use } from "./program.ts";

/** Names of git's remotes, addresses of the web. Undefined if more may reach other machines. */
export function asksOf(use: Use): readonly string[] | undefined {
  if (use.name === "git") return remotesFetched(use);
  return use.name === "curl" ? addressesRead(use) : undefined;
}

/** They say how the answer is shown and how long curl waits; all others may add something to the request. */
const silentOptions = new Set(
  ["s", "silent", "S", "show-error", "f", "fail", "i", "include", "I", "head", "L", "location"].concat([
    "compressed",
    "m",
    "max-time",
    "connect-timeout",
    "retry",
    "no-progress-meter",
  ]),
);

function addressesRead({ words, options, operands, variables }: Use): readonly string[] | undefined {
  const isPlain =
    variables.length === 0 &&
    operands.length > 0 &&
    words.every(isLiteral) &&
    options.every(({ name }) => silentOptions.has(name)) &&
    operands.every(({ text }) => text.startsWith("https://"));
  return isPlain ? operands.map(({ text }) => text) : undefined;
}
