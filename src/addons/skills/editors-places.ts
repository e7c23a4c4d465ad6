/**
 * Places in prompts that an editor fills: those of the workspace are known here, too; of others it is said that nobody
 * fills them.
 */

import { basename } from "node:path";
import type { Place } from "../part.ts";

/** `unfilled`: a sentence about the places that stay as they are. */
export function withEditorsPlaces(
  text: string,
  { workspace }: Pick<Place, "workspace">,
): { body: string; unfilled: string | undefined } {
  const body = text.replaceAll(ofWorkspace, (_, name: string) =>
    withoutPlaces(name === "" ? workspace : basename(workspace)),
  );
  const left = [...new Set(Array.from(text.matchAll(ofEditor), ([place]) => place))];
  if (left.length === 0) return { body, unfilled: undefined };
  const [what, stays] = left.length === 1 ? ["is a place", "it stays"] : ["are places", "they stay"];
  return {
    body,
    unfilled: `${left.slice(0, 8).join(", ")} ${what} that an editor fills: ${stays} as written, so say what is meant.`,
  };
}

const ofWorkspace = /\$\{workspaceFolder(Basename|)\}/gu;

const ofEditor =
  /\$\{(?:selection|selectedText|lineNumber|columnNumber|cwd|file(?:Basename|BasenameNoExtension|Dirname|DirnameBasename|Extname|WorkspaceFolder)?|relativeFile(?:Dirname)?)\}/gu;

/** A path may have what looks like a place for arguments. */
const withoutPlaces = (path: string): string => path.replaceAll(/\$(?=[A-Z@{1-9])/gu, String.raw`\$$`);
