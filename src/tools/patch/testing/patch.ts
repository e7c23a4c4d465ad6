/** Test helper: runs a patch through the tool and reads its planned changes without making them. */

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { bytesOfImage, modeOf } from "../../../base/safe-fs/image.ts";
import { applyPatch } from "../../apply-patch.ts";
import { runTool, testContext, wordsOf } from "../../testing/context.ts";
import type { ToolContext } from "../../tool.ts";

/** By path: the new content and mode, or `null` for a deleted file. */
type After = Record<string, { text: string; mode: number | undefined } | null>;

/** `after` is empty if the patch was refused. Contents are latin1, to represent every byte. */
export async function outcomeOf(
  context: ToolContext,
  patch: string,
): Promise<{ outcome: string; words: string; after: After }> {
  const produced = await runTool(applyPatch, { patch }, context);
  const after: After = {};
  for (const { path, after: image } of produced.changes ?? []) {
    const bytes = image === null ? null : await bytesOfImage(image);
    after[path] = bytes && { text: Buffer.from(bytes).toString("latin1"), mode: modeOf(image) };
  }
  return { ...wordsOf(produced), after };
}

/** `becomes`: the changed files (`null`: deleted). `refused`: words of the error. */
export type PatchCase = {
  about: string;
  /** Default: only `f`, with three lines. */
  files?: Readonly<Record<string, string>>;
  patch: string | readonly string[];
} & ({ becomes: Readonly<Record<string, string | null>> } | { refused: string });

type PatchOutcome = {
  outcome: string;
  becomes: Readonly<Record<string, string | null>>;
  /** The result's text, as far as it is compared; and whether it says that nothing was changed. */
  says?: string;
  isUntouched?: boolean;
};

/** Runs a patch in a workspace of these files; returns the result next to the expected one. */
export async function resultOf(
  { files = { f: "a\nb\nc\n" }, patch, ...expected }: PatchCase,
  root: string,
): Promise<{ got: PatchOutcome; wanted: PatchOutcome; words: string }> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const context = testContext(root);
  const written = typeof patch === "string" ? patch : `${patch.join("\n")}\n`;
  const { outcome, words, after } = await outcomeOf(context, written);
  context.files.close();
  const texts = Object.entries(after).map(([path, file]) => [
    path,
    file && Buffer.from(file.text, "latin1").toString(),
  ]);
  const becomes: PatchOutcome["becomes"] = Object.fromEntries(texts);
  if ("becomes" in expected)
    return { got: { outcome, becomes }, wanted: { outcome: "ok", becomes: expected.becomes }, words };
  const { refused } = expected;
  const says = words.includes(refused) ? refused : words;
  const isUntouched = /othing was changed|would change nothing/.test(words);
  return {
    got: { outcome, becomes, says, isUntouched },
    wanted: { outcome: "failed", becomes: {}, says: refused, isUntouched: true },
    words,
  };
}

/** Whether a result does unreported harm. */
export function verdictOn(got: PatchOutcome, wanted: PatchOutcome): "right" | "refused" | "wrong" {
  if (got.outcome !== "ok") return "refused";
  return isDeepStrictEqual(got.becomes, wanted.becomes) ? "right" : "wrong";
}
