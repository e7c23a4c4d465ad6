/** Updates the list of extension methods in docs/acp.md; the prose is written by hand. */

import { extensionMethods } from "../../src/acp/extension-methods.ts";
import { schemaTable } from "./schema-table.ts";

const markers =
  /(<!-- extension methods: written by npm run docs from src\/acp\/extension-methods\.ts -->\n)[^]*?(<!-- end of extension methods -->)/u;

/** Throws if the markers are missing. */
export function acpPage(text: string): string {
  if (!markers.test(text)) throw new Error("docs/acp.md has no place for the extension methods");
  const sections = Object.entries(extensionMethods).map(([name, { says, params }]) =>
    [`### \`${name}\``, says, schemaTable(params)].filter((part) => part !== "").join("\n\n"),
  );
  return text.replace(
    markers,
    (_all, open: string, close: string) => `${open}${sections.join("\n\n")}\n${close}`,
  );
}
