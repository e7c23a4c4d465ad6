/** What an editor sends as a prompt, as the parts of a message. */

import { isAbsolute, relative } from "node:path";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import { attempt, type Expected, refuse } from "../base/expected.ts";
import type { ContentPart } from "../protocol/messages.ts";

/** `workspace`: the session's, absolute. The problem is a sentence for people. */
export function messageFrom(prompt: readonly ContentBlock[], workspace: string): Expected<ContentPart[]> {
  const parts: ContentPart[] = [];
  for (const [at, block] of prompt.entries()) {
    const part = partFrom(block, workspace);
    if (!part.ok) return part;
    const last = parts.at(-1);
    // A link stands in the middle of a sentence, so what people typed stays one text.
    if (last?.type === "text" && part.value.type === "text" && isTyped(last) && isTyped(part.value)) {
      const hasLink = block.type === "resource_link" || prompt[at - 1]?.type === "resource_link";
      const text = hasLink ? apart(last.text, part.value.text) : last.text + part.value.text;
      parts[parts.length - 1] = { type: "text", text };
    } else parts.push(part.value);
  }
  return parts.length > 0 ? { ok: true, value: parts } : refuse("The prompt is empty.");
}

/** Clients send a link without the space that ends a mention. */
const apart = (before: string, after: string): string =>
  /[^\s([{<]$/u.test(before) && /^[^\s)\]}>,;:.!?]/u.test(after) ? `${before} ${after}` : before + after;

const isTyped = (part: ContentPart & { type: "text" }): boolean => part.file === undefined;

function partFrom(block: ContentBlock, workspace: string): Expected<ContentPart> {
  switch (block.type) {
    case "text":
      return textPart(block.text);
    case "image":
      return { ok: true, value: { type: "image", mediaType: block.mimeType, data: block.data } };
    case "resource_link":
      return textPart(mentionOf(block.uri, workspace) ?? block.uri);
    case "resource":
      return "text" in block.resource
        ? filePart(block.resource.text, nameOf(block.resource.uri, workspace))
        : refuse(`${block.resource.uri} is no text: attach files by a link to them.`);
    default:
      return refuse(`Toolwright takes no ${block.type} in a prompt.`);
  }
}

const textPart = (text: string): Expected<ContentPart> => ({ ok: true, value: { type: "text", text } });

const filePart = (text: string, file: string): Expected<ContentPart> => ({
  ok: true,
  value: { type: "text", text, file },
});

/** A mention, which the session's host reads and attaches; undefined for what is no file of the workspace. */
function mentionOf(uri: string, workspace: string): string | undefined {
  const path = pathOf(uri);
  const inside = path === undefined ? undefined : insidePath(path, workspace);
  if (inside === undefined) return path;
  return /^[\w./+-]*\w$/u.test(inside) ? `@${inside}` : `@"${inside}"`;
}

/** Relative to the workspace where it lies there; other addresses stay as they are. */
function nameOf(uri: string, workspace: string): string {
  const path = pathOf(uri);
  return path === undefined ? uri : (insidePath(path, workspace) ?? path);
}

/** The path of a file's address, without a place in it (`#L10`); undefined for any other address. */
function pathOf(uri: string): string | undefined {
  if (isAbsolute(uri)) return uri;
  const url = URL.parse(uri);
  if (url?.protocol !== "file:" || url.hostname !== "") return undefined;
  return attempt(() => decodeURIComponent(url.pathname));
}

function insidePath(path: string, workspace: string): string | undefined {
  const inside = relative(workspace, path);
  return inside === "" || inside.startsWith("..") || isAbsolute(inside) || /["\n]/u.test(inside)
    ? undefined
    : inside;
}
