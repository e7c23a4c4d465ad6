/** Turns a hook of the workspace into a trust request that covers the content of every file it runs. */

import { sizeInWords } from "../../base/amounts.ts";
import { sha256 } from "../../base/crypto.ts";
import { decodeText } from "../../base/text.ts";
import { type FilesRun, unfollowedWords } from "../files-run.ts";
import type { TrustItem } from "../trust.ts";
import type { Hook, HookRuns } from "./hook.ts";
import { wordsOf } from "./names.ts";

type BroughtPlace = { workspace: string; filesRun: FilesRun };

/** Undefined: its content cannot be determined, so nobody can consent to it. */
export function broughtBy(hook: Hook, where: string, place: BroughtPlace): TrustItem | undefined {
  const found = codeOf(hook.runs, place);
  if (!found) return undefined;
  const { code, whole, unfollowed } = found;
  const { name, on, tools, runs, timeoutMs, onFailure, inBackground, foreign } = hook;
  const files = code.map(({ path, hash }) => [path, hash]);
  const held = [...code.map(({ path }) => path), ...whole];
  const content = JSON.stringify({
    on,
    tools,
    runs,
    timeoutMs,
    onFailure,
    inBackground,
    foreign,
    files,
    held,
  });
  const shown = shownOf(code);
  const long = code.filter((file) => !shown.has(file) || file.bytes.length > shownCode);
  return {
    kind: "hook",
    name,
    where,
    shows: [shownAs(hook, code, shown), ...unfollowedWords(unfollowed)].join("\n"),
    ...(long.length > 0 ? { files: long.map(({ path }) => path) } : {}),
    held,
    hash: hashOf(content),
  };
}

type HookCode = { path: string; hash: string; bytes: Uint8Array };

const hashOf = (text: string): string => sha256(new TextEncoder().encode(text));

type HookFiles = { code: HookCode[]; whole: readonly string[]; unfollowed: readonly string[] };

function codeOf(runs: HookRuns, { workspace, filesRun }: BroughtPlace): HookFiles | undefined {
  if (runs.type === "address") return { code: [], whole: [], unfollowed: [] };
  const found = filesRun(runs, { workspace });
  const code = found?.files.flatMap(({ bytes, ...file }) => (bytes ? [{ ...file, bytes }] : [])) ?? [];
  if (!found || code.length < found.files.length) return undefined;
  return { code, whole: found.whole, unfollowed: found.unfollowed };
}

function shownAs(
  { on, tools, runs, inBackground, foreign }: Hook,
  code: readonly HookCode[],
  shown: ReadonlySet<HookCode>,
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
function shownOf(code: readonly HookCode[]): Set<HookCode> {
  let space = shownAll;
  return new Set(code.filter(({ bytes }) => (space -= Math.min(bytes.length, shownCode)) >= 0));
}

function contentOf(bytes: Uint8Array): string[] {
  const decoded = decodeText(bytes);
  if (decoded.kind === "binary") return [`  (${decoded.type})`];
  const shown = decoded.text.slice(0, shownCode).trimEnd();
  const rest = decoded.text.length > shownCode ? ["  … the rest is in the file"] : [];
  return [...shown.split("\n").map((line) => `  ${line}`), ...rest];
}
