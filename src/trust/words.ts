/** Messages for people about what a workspace brings along. */

import type { TrustItem } from "../addons/trust.ts";
import { sha256 } from "../base/crypto.ts";

const kindWords: Readonly<Record<TrustItem["kind"], readonly [one: string, several: string]>> = {
  hook: ["hook", "hooks"],
  server: ["tool server", "tool servers"],
  skill: ["skill with code", "skills with code"],
  command: ["command that runs programs", "commands that run programs"],
  agent: ["agent definition", "agent definitions"],
  "language-server": ["language server", "language servers"],
};

/** "2 hooks and 1 tool server". */
export function countedKinds(things: readonly Pick<TrustItem, "kind">[]): string {
  const counts = Map.groupBy(things, ({ kind }) => kind);
  const words = [...counts].map(([kind, { length }]) => `${length} ${kindWords[kind][length === 1 ? 0 : 1]}`);
  const last = words.pop() ?? "nothing";
  return words.length === 0 ? last : `${words.join(", ")} and ${last}`;
}

export const kindInWords = (kind: TrustItem["kind"]): string => kindWords[kind][0];

const noticeCode = "untrusted-";
export const isUntrustedNotice = (code: string): boolean => code.startsWith(noticeCode);

/**
 * One line, or undefined if nothing awaits approval. The code identifies exactly these things, so other ones are
 * reported anew.
 */
export function untrustedNotice(waiting: readonly TrustItem[]): { code: string; text: string } | undefined {
  if (waiting.length === 0) return undefined;
  const things = waiting.map(({ kind, name, hash }) => `${kind} ${name} ${hash}`).toSorted();
  const code = `${noticeCode}${sha256(new TextEncoder().encode(things.join("\n"))).slice(0, 12)}`;
  const is = waiting.length === 1 ? "it is not used" : "nothing of it is used";
  const text = `This workspace brings ${countedKinds(waiting)}; ${is} until you agree: look with \`toolwright trust\`.`;
  return { code, text };
}
