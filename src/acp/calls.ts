/** A call as editors show it: its kind, where it works, and what it brought. */

import { resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { otherProgramBounds } from "../base/bounds.ts";
import type { JsonObject } from "../base/json.ts";
import type { FactOf } from "../protocol/facts.ts";
import type { ContentPart } from "../protocol/messages.ts";
import { diffsIn } from "./diff-content.ts";

/** `does` is known once the call begins to run; until then its tool's name has to do. */
export function kindOf(name: string, does?: FactOf<"call-start">["does"]): ToolKind {
  if (/search|list|find/u.test(name)) return name === "web_search" ? "fetch" : "search";
  if (/fetch/u.test(name)) return "fetch";
  if (does === "execute" || /command|terminal/u.test(name)) return "execute";
  if (does === "change" || /write|edit|patch|apply|rename/u.test(name)) return "edit";
  if (/plan|todos/u.test(name)) return "think";
  return does === "read" || /read|get_/u.test(name) ? "read" : "other";
}

/** The files that the arguments name. */
export function locationsIn(input: JsonObject, workspace: string): ToolCallLocation[] {
  const { path, line, offset } = input;
  if (typeof path !== "string" || path === "") return [];
  const first = typeof line === "number" ? line : offset;
  return [
    {
      path: resolve(workspace, path),
      ...(typeof first === "number" && Number.isInteger(first) && first > 0 ? { line: first } : {}),
    },
  ];
}

export const textContent = (text: string): ToolCallContent => ({
  type: "content",
  content: { type: "text", text },
});

/** A question's diff, hunk by hunk, or its text as it stands. */
export function previewContent(preview: string, isDiff: boolean, workspace: string): ToolCallContent[] {
  const diffs = isDiff ? diffsIn(preview, workspace) : [];
  if (diffs.length > 0) return diffs.map((diff) => ({ type: "diff", ...diff }));
  return preview === "" ? [] : [textContent(preview)];
}

/** What people see of a result: not what was added for the model only. */
export function resultContent(content: readonly (ContentPart & { for?: "model" })[]): ToolCallContent[] {
  return content.flatMap((part): ToolCallContent[] => {
    if (part.type === "image")
      return [{ type: "content", content: { type: "image", mimeType: part.mediaType, data: part.data } }];
    return part.for === "model" || part.text === "" ? [] : [textContent(endOf(part.text))];
  });
}

/** The last characters of an output, which are the ones that matter. `left`: those before it that are gone already. */
export function endOf(output: string, left = 0): string {
  const cut = Math.max(0, output.length - otherProgramBounds.text.most);
  return left + cut > 0 ? `… ${left + cut} characters before\n${output.slice(cut)}` : output;
}
