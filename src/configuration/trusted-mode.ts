/** Where the mode `trusted` may be used, and what is said where it is. */

import { type Expected, refuse } from "../base/expected.ts";
import type { Fact, FactOf, Mode } from "../protocol/facts.ts";
import { isolation } from "../safety/isolation.ts";

/** Whether the mode may be used: the value is why, the problem what to do instead. */
export type MayTrust = () => Expected<string>;

/** In a container or virtual machine, or where a person has said in full that it may change anything. */
export function mayTrust({ knowing }: { knowing: boolean }, machine?: string): Expected<string> {
  if (knowing) return { ok: true, value: "allowed by --i-know-this-can-change-anything" };
  const found = isolation(machine);
  if (found !== undefined) return { ok: true, value: `this is ${found}` };
  const problem =
    'The mode trusted runs everything as you and asks nothing, so it starts only in a container or virtual machine, and this is none that Toolwright recognises: start Toolwright with the option "knowing", or choose another mode.';
  return refuse(problem);
}

export const trustedWords = (why: string): string =>
  `The mode is trusted (${why}): commands run as you, without a sandbox, and nothing asks but your own rules and hooks.`;

export const trustedCode = "trusted-mode";

/** Says in the log why the mode could be used. */
export const trustedFact = (why: string): FactOf<"warning"> => ({
  type: "warning",
  code: trustedCode,
  text: trustedWords(why),
});

/** Takes a session out of the mode, whatever its log says: where it may not be used, or is not the program's. */
export const outOfTrust = (mode: Mode, problem = "It was trusted."): Fact[] => [
  { type: "mode-set", mode, by: "toolwright" },
  { type: "warning", code: "not-trusted", text: `The mode of this session is ${mode} now. ${problem}` },
];
