/** Words for the parts of a message that no model behind the server can be shown: the conversation goes on without. */

import type { ContentPart } from "../protocol/messages.ts";

/** `kind`: "image", "document", …; `about`: what the client says of it, such as its name, type or address. */
export function notShown(kind: string, ...about: readonly (string | undefined)[]): ContentPart {
  const said = about.filter((text) => text !== undefined && text !== "").join(", ");
  const details = said === "" ? "" : ` (${said.slice(0, 300)})`;
  const article = /^[aeiou]/.test(kind) ? "An" : "A";
  return { type: "text", text: `[${article} ${kind}${details} that cannot be shown to this model.]` };
}
