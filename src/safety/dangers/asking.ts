/** What a program asks of other machines, where that is all that its words let out: a remote's name, or an address. */

import { isLiteral } from "../command-line/word.ts";
import { remotesFetched } from "./git/fetching.ts";
import type { Use } from "./program.ts";

/** Names of git's remotes, addresses of the web. Undefined if more may reach other machines. */
export function requestsOf(use: Use): readonly string[] | undefined {
  if (use.name === "git") return remotesFetched(use);
  const silent = silentOptions.get(use.name);
  return silent && addressesRead(use, silent);
}

/**
 * They say how the answer is shown or kept, and how long is waited; all others may add something to the request, or take
 * a file's name from the answer.
 */
const silentOptions: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "curl",
    new Set(
      ["s", "silent", "S", "show-error", "f", "fail", "i", "include", "I", "head", "L", "location"].concat(
        ["o", "output", "O", "remote-name", "compressed", "m", "max-time", "connect-timeout", "retry"],
        ["no-progress-meter"],
      ),
    ),
  ],
  // `-nv` is read as two letters.
  [
    "wget",
    new Set(
      ["q", "quiet", "n", "v", "no-verbose", "O", "output-document", "spider", "S", "server-response"].concat(
        ["t", "tries", "T", "timeout", "P", "directory-prefix"],
      ),
    ),
  ],
]);

/** What stands for several addresses, or hides the name under which the answer may be kept. */
const manyOrHidden = /[[\]{}]|%[^/?]*(?:\?|$)/u;

function addressesRead(
  { words, options, operands, variables }: Use,
  silent: ReadonlySet<string>,
): readonly string[] | undefined {
  const isPlain =
    variables.length === 0 &&
    operands.length > 0 &&
    words.every(isLiteral) &&
    options.every(({ name, value }) => silent.has(name) && value?.text.includes("#") !== true) &&
    operands.every(({ text }) => text.startsWith("https://") && !manyOrHidden.test(text));
  return isPlain ? operands.map(({ text }) => text) : undefined;
}
