/** Finds the tool a model means by the name it wrote: one rule for every dialect, wire and surface. */

/**
 * Tries the exact name, then without known decoration, then ignoring case and separators; accepts only a single match.
 */
export function resolveToolName(written: string, declared: readonly string[]): string | undefined {
  if (declared.includes(written)) return written;
  if (written.length > longest) return undefined;
  for (const name of undecoratedNames(written)) {
    if (declared.includes(name)) return name;
    const loose = looseName(name);
    const close = new Set(loose === "" ? [] : declared.filter((one) => looseName(one) === loose));
    if (close.size > 0) return close.size === 1 ? [...close][0] : undefined;
  }
  return undefined;
}

/** Ignores case and separators: `filePath`, `file_path`, `FILE-PATH` and Markdown's `file\\_path` are one name. */
export function looseName(name: string): string {
  return name.toLowerCase().replace(/[\s_\-./:\\]/g, "");
}

const longest = 400;

/** The name as written, then with one decoration less each time. */
function undecoratedNames(written: string): string[] {
  const names = [written.trim()];
  for (let name: string | undefined = names[0]; name !== undefined && names.length < 12;) {
    name = lessDecorated(name);
    if (name !== undefined) names.push(name);
  }
  return names;
}

function lessDecorated(name: string): string | undefined {
  for (const decoration of decorations) {
    const shorter = name.replace(decoration, "").trim();
    if (shorter !== name && shorter !== "") return shorter;
  }
  return undefined;
}

/** Decorations that models and servers attach to names, each at one end. */
const decorations: readonly RegExp[] = [
  /<[|｜].*$/s, // read_file<|channel|>commentary
  /^["'`*“‘[]+|["'`*”’\].,;:]+$/g,
  /^to=/,
  /^(?:functions?|default_api|tools?)[.:/]+/i,
  /^([\w-]+)[.:/](?=\1$)/, // edit.edit
  /\(\s*\)$/,
  /[:#]\d{1,9}$/, // functions.read_file:0
];
