/** Renders a turn's changes as a patch that `git apply` accepts in both directions, whatever the files contain. */

import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { decodeText } from "../../base/text.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { inForce, type PathStanding, type Trail } from "../../protocol/fold-changes.ts";
import { isReferencesPath } from "../../protocol/references-path.ts";
import type { ReadSession, Review } from "../../runtime/read-session.ts";
import { statusWords } from "../../view/review.ts";

type PatchedFile = Review["files"][number];
type PatchedSession = Pick<ReadSession, "state" | "content">;

/** Lines with `#` are for people; git ignores them. */
export async function patchText(review: Review, session: PatchedSession): Promise<string> {
  const { turn, id, added, removed } = review;
  const pieces = [`# request ${turn} · ${id} · ${statusWords(review)} · +${added} −${removed}\n`];
  const trails = session.state.changes.trails.get(turn);
  for (const file of review.files) {
    const trail = trails?.get(file.path);
    if (trail) pieces.push(forGit(file, await patchOf(file, trail, session)));
  }
  return pieces.join("");
}

/** What git moved itself is no file that it could change by a patch. */
const forGit = ({ path }: PatchedFile, patch: string): string =>
  isReferencesPath(path) ? patch.replaceAll(/^(?=.)/gmu, "# ") : patch;

/** The patch of one path. Git cannot express a change from file to link, so that takes two steps. */
async function patchOf(file: PatchedFile, trail: Trail, session: PatchedSession): Promise<string> {
  const { before } = trail;
  const after = (trail.now === "nothing" ? trail.left : inForce(trail)).at(-1) ?? null;
  const contents = (standing: PathStanding): Promise<Uint8Array | undefined> =>
    session.content(file.path, standing);
  if (before && after && before.kind !== after.kind)
    return [
      await oneStep({ file, before, after: null }, contents),
      await oneStep({ file, before: null, after }, contents),
    ].join("");
  return oneStep({ file, before, after, hunks: file.hunks }, contents);
}

type PatchStep = {
  file: PatchedFile;
  before: PathStanding;
  after: PathStanding;
  hunks?: PatchedFile["hunks"];
};

async function oneStep(
  step: PatchStep,
  contents: (standing: PathStanding) => Promise<Uint8Array | undefined>,
): Promise<string> {
  const { file, before, after, hunks = [] } = step;
  const head = headOf(step);
  if (before?.hash === after?.hash)
    return head.length > 1 ? text(head) : `# ${visibleLine(file.path)}: git knows no such mode\n`;
  // Invalid UTF-8 shows up in a hunk as replacement characters.
  if (hunks.length > 0 && !hunks.some((hunk) => /[\uFFFD\0]/u.test(hunk.text)))
    return text([...head, ...namesOf(step)]) + hunks.map(labelHunk).join("");
  const [old, now] = [before && (await contents(before)), after && (await contents(after))];
  if (old === undefined || now === undefined)
    return `# ${visibleLine(file.path)}: not in this patch, ${file.problem ?? "its content is not known any more"}\n`;
  const isShort = before === null || after === null || after.kind === "link";
  const whole = isShort ? wholeHunk(old, now) : undefined;
  if (whole === undefined) return text(head) + binaryPatch(old, now);
  return whole.length === 0 ? text(head) : text([...head, ...namesOf(step), ...whole]);
}

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

function headOf({ file, before, after }: PatchStep): string[] {
  const [old, now] = [modeOf(before), modeOf(after)];
  return [
    `diff --git ${name("a", file.path)} ${name("b", file.path)}`,
    ...(before === null && now !== undefined ? [`new file mode ${now}`] : []),
    ...(after === null && old !== undefined ? [`deleted file mode ${old}`] : []),
    ...(old !== undefined && now !== undefined && old !== now ? [`old mode ${old}`, `new mode ${now}`] : []),
  ];
}

/** Git's file modes; an unrecorded mode counts as the usual 100644. */
function modeOf(standing: PathStanding): string | undefined {
  if (standing === null) return undefined;
  if (standing.kind === "link") return "120000";
  return ((standing.mode ?? 0) & 0o100) === 0 ? "100644" : "100755";
}

function namesOf({ file, before, after }: PatchStep): string[] {
  // A space would end the name, unless a tab follows it.
  const end = file.path.includes(" ") ? "\t" : "";
  const named = (side: "a" | "b"): string => name(side, file.path) + end;
  return [`--- ${before ? named("a") : "/dev/null"}`, `+++ ${after ? named("b") : "/dev/null"}`];
}

/** C-style quoting for names that would be misread. */
function name(side: "a" | "b", path: string): string {
  const plain = `${side}/${path}`;
  if (!/[\p{Cc}"\\]/u.test(plain)) return plain;
  const quoted = [...Buffer.from(plain)].map((byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte < 0x20 || byte >= 0x7f ? `\\${byte.toString(8).padStart(3, "0")}` : String.fromCharCode(byte);
  });
  return `"${quoted.join("")}"`;
}

/** Any text may follow the second @@. */
const labelHunk = ({ number, text: hunk }: { number: number; text: string }): string =>
  hunk.replace(/^(@@ [^\n]* @@)/u, `$1 hunk ${number}`);

/** Removes all lines and adds all new ones; undefined if either content is not text, empty if both are. */
function wholeHunk(old: Uint8Array | null, now: Uint8Array | null): string[] | undefined {
  const [gone, come] = [linesOf(old), linesOf(now)];
  if (!gone || !come) return undefined;
  if (gone.length === 0 && come.length === 0) return [];
  const header = `@@ -${spanOf(gone)} +${spanOf(come)} @@`;
  return [
    header,
    ...gone.flatMap((line) => markLine("-", line)),
    ...come.flatMap((line) => markLine("+", line)),
  ];
}

function linesOf(bytes: Uint8Array | null): string[] | undefined {
  const decoded = decodeText(bytes ?? new Uint8Array());
  if (decoded.kind !== "text" || decoded.bom || decoded.text.includes("\0")) return undefined;
  return decoded.text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

const spanOf = ({ length }: readonly string[]): string => (length === 0 ? "0,0" : `1,${length}`);

const markLine = (mark: string, line: string): string[] =>
  line.endsWith("\n") ? [mark + line.slice(0, -1)] : [mark + line, "\\ No newline at end of file"];

const none = new Uint8Array();

/** Encodes both directions, so that the patch can be reversed. `null` means no file. */
function binaryPatch(old: Uint8Array | null, now: Uint8Array | null): string {
  return [
    `index ${blobName(old)}..${blobName(now)}`,
    "GIT binary patch",
    ...literal(now ?? none),
    "",
    ...literal(old ?? none),
    "",
    "",
  ].join("\n");
}

/** Git's object id of a content, zeros for no file. Git rejects binary patches without it. */
function blobName(bytes: Uint8Array | null): string {
  if (bytes === null) return "0".repeat(40);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

const lineBytes = 52;

function literal(bytes: Uint8Array): string[] {
  const deflated = deflateSync(bytes);
  const lines = [`literal ${bytes.length}`];
  for (let at = 0; at < deflated.length; at += lineBytes) {
    const piece = deflated.subarray(at, at + lineBytes);
    lines.push(lengthMark(piece.length) + base85(piece));
  }
  return lines;
}

/** Git's line-length mark: A to Z for 1 to 26 bytes, a to z for 27 to 52. */
const lengthMark = (length: number): string =>
  String.fromCharCode(length <= 26 ? 64 + length : 96 + length - 26);

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

function base85(bytes: Uint8Array): string {
  const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
  padded.set(bytes);
  let text = "";
  for (let at = 0; at < padded.length; at += 4) {
    let rest = padded.readUInt32BE(at);
    let group = "";
    for (let digit = 0; digit < 5; digit += 1) {
      group = (digits[rest % 85] ?? "") + group;
      rest = Math.floor(rest / 85);
    }
    text += group;
  }
  return text;
}
