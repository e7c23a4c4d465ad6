/** What was typed and not sent, for each session: it survives going elsewhere, and loading the page again. */
import type { ImagePart } from "../../../protocol/messages.ts";

export type Draft = { text: string; images: readonly ImagePart[] };

const keyOf = (session: string): string => `toolwright-draft:${session}`;
/** Pictures are too large to be kept over a reload. */
const pictures = new Map<string, readonly ImagePart[]>();

export const draftOf = (session: string): Draft => ({
  text: sessionStorage.getItem(keyOf(session)) ?? "",
  images: pictures.get(session) ?? [],
});

export function keepDraft(session: string, { text, images }: Draft): void {
  if (images.length === 0) pictures.delete(session);
  else pictures.set(session, images);
  try {
    if (text === "") sessionStorage.removeItem(keyOf(session));
    else sessionStorage.setItem(keyOf(session), text);
  } catch {
    return; // a browser without room keeps it only as long as the page is there
  }
}
