/** Turns a hook of the workspace into a trust request that covers the content of every file it runs. */

import { sizeInWords } from "../../base/amounts.ts";
import { sha256 } from "../../base/crypto.ts";
import { decodeText } from "../../base/text.ts";
import { countedFor, unfollowedWords } from "../counted/counted.ts";
import type { Brought } from "../trust.ts";
import type { Hook, HookRuns } from "./hook.ts";
import { wordsOf } from "./names.ts";

/** Undefined: its content cannot be determined, so nobody can consent to it. */
export function broughtBy(hook: Hook, where: string, workspace: string): Brought | undefined {
  const found = codeOf(hook.runs, workspace);
  if (!found) return undefined;
  const { code, unfollowed } = found;
  const { name, on, tools, runs, timeoutMs, onFailure, inBackground, foreign } = hook;
  const files = code.map(({ path, hash }) => [path, hash]);
  const content = JSON.stringify({ on, tools, runs, timeoutMs, onFailure, inBackground, foreign, files });
  const shown = shownOf(code);
  const long = code.filter((file) => !shown.has(file) || file.bytes.length > shownCode);
  return {
    kind: "hook",
    name,
    where,
    shows: [shownAs(hook, code, shown), ...unfollowedWords(unfollowed)].join("\n"),
    ...(long.length > 0 ? { files: long.map(({ path }) => path) } : {}),
    hash: hashOf(content),
  };
}

type Code = { path: string; hash: string; bytes: Uint8Array };

const hashOf = (text: string): string => sha256(new TextEncoder().encode(text));

function codeOf(runs: HookRuns, workspace: string): { code: Code[]; unfollowed: string[] } | undefined {
  if (runs.type === "address") return { code: [], unfollowed: [] };
  const counted = countedFor(runs, { workspace });
  const code = counted?.files.flatMap(({ bytes, ...file }) => (bytes ? [{ ...file, bytes }] : [])) ?? [];
  if (!counted || code.length < counted.files.length) return undefined;
  return { code, unfollowed: counted.unfollowed };
}

function shownAs(
  { on, tools, runs, inBackground, foreign }: Hook,
  code: readonly Code[],
  shown: ReadonlySet<Code>,
): string {
  const when = foreign ?? on.join(", ");
  const of = tools ? ` (${tools.join(", ")})` : "";
  return [
    `${runs.type === "address" ? "asks" : "runs"} ${wordsOf(runs)}`,
    `at ${when}${of}${inBackground ? ", in the background" : ""}`,
    ...(runs.type === "address"
      ? Object.entries(runs.headers).map(([name, value]) => `with ${name}: ${value}`)
      : []),
    ...code.flatMap((file) => {
      const head = `${file.path} (${sizeInWords(file.bytes.length)})`;
      return shown.has(file) ? [`${head}:`, ...contentOf(file.bytes)] : [head];
    }),
  ].join("\n");
}

/** Characters shown of one file, and of all files together. */
const shownCode = 8_000;
const shownAll = 8 * shownCode;

/** The first files that fit; the others appear by name only. */
function shownOf(code: readonly Code[]): Set<Code> {
  let room = shownAll;
  return new Set(code.filter(({ bytes }) => (room -= Math.min(bytes.length, shownCode)) >= 0));
}

function contentOf(bytes: Uint8Array): string[] {
  const decoded = decodeText(bytes);
  if (decoded.kind === "binary") return [`  (${decoded.type})`];
  const shown = decoded.text.slice(0, shownCode).trimEnd();
  const rest = decoded.text.length > shownCode ? ["  … the rest is in the file"] : [];
  return [...shown.split("\n").map((line) => `  ${line}`), ...rest];
}
