/** Reads workspace files for language servers. */

import type { Image } from "../../base/safe-fs/image.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { decodeText } from "../../base/text.ts";
import type { ToolContext } from "../../tools/tool.ts";
import { languageServerBounds } from "./bounds.ts";

const most = languageServerBounds.document.most;

/** Undefined if the file does not exist, is too large, or is not text. */
export async function textAt(files: Tree, path: string): Promise<string | undefined> {
  const found = await files.read(path, { maxBytes: most });
  return found.ok ? textIn(found.value) : undefined;
}

/** Those about files that the call may show: servers read and report on all of them. */
export async function mayBeTold<About>(
  all: readonly About[],
  pathOf: (about: About) => string | undefined,
  { withheld }: Pick<ToolContext, "withheld">,
): Promise<About[]> {
  const told: About[] = [];
  for (const about of all) {
    const path = pathOf(about);
    if (path === undefined || !(await withheld(path))) told.push(about);
  }
  return told;
}

export async function textOf(image: Image | null): Promise<string | undefined> {
  if (image?.kind !== "file" || image.content.size > most) return undefined;
  // The content from before a change may no longer be stored.
  const bytes = await image.content.read().catch(() => undefined);
  return bytes && textIn(bytes);
}

function textIn(bytes: Uint8Array): string | undefined {
  const decoded = decodeText(bytes);
  return decoded.kind === "text" ? decoded.text : undefined;
}
