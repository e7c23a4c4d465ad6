/** Decodes JSON that a model or server escaped for HTML: its quotation marks are entities. */

/** All spellings of a quotation mark, as the source of a pattern. */
export const quoteEntity = "&(?:quot|apos|#0*3[49]|#x0*2[27]);";

const characters: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: "<", gt: ">", amp: "&" };

/** Replaces entities by their characters; those irrelevant to JSON stay. */
export const withoutEntities = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,5})|#x([\da-f]{1,4})|\w+);/gi, (entity, decimal, hex) => {
    const code = Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10);
    if (!Number.isNaN(code)) return String.fromCharCode(code);
    return characters[entity.slice(1, -1).toLowerCase()] ?? entity;
  });
