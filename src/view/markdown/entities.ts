/** The characters that HTML's entities in a Markdown text stand for; those that nobody uses there stay. */
import { visibleLine } from "../../base/visible-text.ts";

const entities: Readonly<Record<string, string>> = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", hellip: "…", mdash: "—", ndash: "–", copy: "©",
}; // prettier-ignore

/** What an entity stands for is made visible like any other character. */
export const withoutEntities = (text: string): string =>
  text.includes("&")
    ? text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,6}));/gu, (all, decimal, hex, name) => {
        const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
        if (name !== undefined) return entities[name] ?? all;
        return code > 0 && code <= 0x10_ff_ff ? visibleLine(String.fromCodePoint(code)) : all;
      })
    : text;
