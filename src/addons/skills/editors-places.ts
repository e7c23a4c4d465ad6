/**
 * Placeholders that editors fill in prompts: those for the workspace are filled here, too; people are told about the
 * others.
 */

import { basename } from "node:path";
import type { AddonDirectories } from "../part.ts";

/** `unfilled`: a sentence about the placeholders that remain. */
export function withEditorsPlaces(
  text: string,
  { workspace }: Pick<AddonDirectories, "workspace">,
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

/** Escapes text in a path that looks like an argument placeholder. */
const withoutPlaces = (path: string): string => path.replaceAll(/\$(?=[A-Z@{1-9])/gu, String.raw`\$$`);
