/** Reads the text of git's settings, as far as that can be done without asking git. */

export type GitKey = {
  /** "section.subsection.key", and the same without the subsection. */
  full: string;
  short: string;
  value: string;
};

const header = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;

/** Undefined if a value goes on in the next line, or a line begins several sections: which one holds could not be told. */
export function keysIn(text: string): GitKey[] | undefined {
  const keys: GitKey[] = [];
  let [section, name]: readonly [string, string] = ["", ""];
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    if (line.endsWith("\\")) return undefined;
    const [whole = "", written = "", quoted] = header.exec(line) ?? [];
    if (whole !== "") [section, name] = sectionOf(written, quoted);
    const [, key, value = ""] = /^\s*([a-z][a-z0-9-]*)\s*(?:=\s*(.*))?/i.exec(line.slice(whole.length)) ?? [];
    if (key !== undefined) {
      const lower = key.toLowerCase();
      keys.push({ full: `${section}.${name}${lower}`, short: `${section}.${lower}`, value });
    } else if (!/^\s*(?:[#;].*)?$/.test(line.slice(whole.length))) return undefined;
  }
  return keys;
}

/** The subsection with a dot after it, or nothing: what is behind a dot comes before what is in quotes. */
function sectionOf(written: string, quoted: string | undefined): readonly [string, string] {
  const [section = "", ...rest] = written.toLowerCase().split(".");
  const names = [...rest, ...(quoted === undefined ? [] : [quoted.replace(/\\(.)/g, "$1")])];
  return [section, names.map((name) => `${name}.`).join("")];
}

/** Without quotes and comments. */
export const plainValue = (value: string): string =>
  (/^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1] ?? value.replace(/\s[#;].*$/, "")).trim();
