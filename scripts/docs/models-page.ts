/** Updates the table of providers in docs/models.md from `src/providers/catalog.ts`; the prose is written by hand. */

import { catalog, type Provider } from "../../src/providers/catalog.ts";
import { cell } from "./schema-table.ts";

const markers =
  /(<!-- providers: written by npm run docs from src\/providers\/catalog\.ts -->\n)[^]*?(\n<!-- end of providers -->)/u;

/** Returns the page with a fresh table. Throws if the markers are missing. */
export function modelsPage(text: string): string {
  if (!markers.test(text)) throw new Error("docs/models.md has no place for the table of providers");
  return text.replace(markers, (_all, open: string, close: string) => open + providersTable() + close);
}

function providersTable(): string {
  const head = ["provider", "name", "key", "address", "wire", "model when none is named"];
  return [head, head.map(() => "---"), ...catalog.map(row)]
    .map((cells) => `| ${cells.map(cell).join(" | ")} |`)
    .join("\n");
}

function row(provider: Provider): string[] {
  const { name, title, wire, keyNames, needsKey } = provider;
  const keys = keyNames.map((key) => `\`${key}\``).join(" or ");
  const optional = needsKey || keys === "" ? keys : `${keys}, if it wants one`;
  const model = provider.defaultModel === undefined ? "the first it lists" : `\`${provider.defaultModel}\``;
  return [title, `\`${name}\``, optional || "none", addressOf(provider), `\`${wire}\``, model];
}

function addressOf({ baseUrl, baseUrlFrom }: Provider): string {
  const variable = baseUrlFrom === undefined ? "" : `\`${baseUrlFrom}\``;
  if (baseUrl === "") return variable;
  return variable === "" ? baseUrl : `${baseUrl}, or ${variable}`;
}
