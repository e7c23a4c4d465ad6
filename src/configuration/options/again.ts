/** Writes the command line that goes on with a session under the same options. */

import { withoutPassword } from "../../base/redact.ts";
import { shellQuoted } from "../../base/shell-word.ts";
import { type OptionName, options, type Values } from "./options.ts";

/** What a person, or a program in their place, says to go on after a limit. */
const goOnWords = "Go on.";

/** These say which request it was, not how it is done. */
const ofOneRequest: readonly OptionName[] = [
  "prompt",
  "attach",
  "input",
  "continue",
  "resume",
  "fork",
  "sessionId",
  "takeOver",
];

/** For a shell: `toolwright --mode auto --resume ID -p "Go on."`. */
export const commandToGoOn = (flags: Values, session: string): string =>
  `${commandToResume(flags, session)} -p "${goOnWords}"`;

/** For a shell: `toolwright --mode auto --resume ID`, a conversation. */
export function commandToResume(flags: Values, session: string): string {
  const same = options.flatMap(({ name, flag }) => {
    const value = flags[name];
    if (value === undefined || ofOneRequest.includes(name)) return [];
    if (value === true) return [`--${flag}`];
    // An option that is repeated holds its values with NUL between them.
    const values = typeof value === "string" ? value.split("\0") : [value];
    return values.flatMap((one) => [`--${flag}`, quotedValue(one, name)]);
  });
  return ["toolwright", ...same, "--resume", session].join(" ");
}

function quotedValue(value: string | number | false, name: OptionName): string {
  const isTime = options.find((option) => option.name === name)?.type.kind === "duration";
  const text = isTime && value !== 0 ? `${Number(value) / 1_000}s` : `${value}`;
  return shellQuoted(name === "database" ? withoutPassword(text) : text);
}
