/** Determines the files of a unified diff: strips prefixes, quotes and dates from its names. */

/**
 * `before` and `after`: of the `---` and `+++` lines, or of the `diff --git` line; the others of `rename` and `copy`.
 */
export type DiffNames = {
  before?: string;
  after?: string;
  line?: [string, string];
  from?: string;
  to?: string;
};

type Paths = { does: "add" | "delete" | "update"; path: string; otherPaths: string[]; to?: string };

/** The name for a missing file; `diff -N` uses an old date instead. */
const nothing = "/dev/null";

/** The name in a line, which a tab or a date may follow. */
export function nameIn(written: string): string {
  const words = written.replace(/\r$/, "");
  if (words.startsWith('"')) return decodeQuoted(words);
  if (/\t(?:1970-01-01|1969-12-31) /.test(words)) return nothing;
  const name = words.split("\t")[0] ?? "";
  return name.replace(/\s+\d{4}-\d\d-\d\d[ T]\d\d:\d\d\S*(?: [+-]\d{4})?\s*$/, "").trim();
}

/** Both names of `diff --git a/x b/x`; they are equal whenever this line is the only source. */
export function namesInGitLine(written: string): DiffNames {
  const words = written.replace(/\r$/, "");
  if (words.startsWith('"')) {
    const first = quotedAtStart(words);
    return first === "" ? {} : { line: [decodeQuoted(first), nameIn(words.slice(first.length + 1))] };
  }
  const middle = words.length >> 1;
  const [first, second] = [words.slice(0, middle), words.slice(middle + 1)];
  if (words[middle] === " " && withoutPrefix(first) === withoutPrefix(second))
    return { line: [first, second] };
  const [one, other, ...more] = words.split(" ");
  return one && other && more.length === 0 ? { line: [one, other] } : {};
}

export function pathsIn(
  names: DiffNames,
  does: "add" | "delete" | "rename" | "copy" | undefined,
): Paths | undefined {
  const { from, to } = names;
  if (from !== undefined && to !== undefined) return { does: "update", path: from, otherPaths: [], to };
  if (does === "rename" || does === "copy") return undefined;
  const [before = "", after = ""] =
    names.before === undefined ? (names.line ?? []) : [names.before, names.after];
  if (before === "" || after === "") return undefined;
  if (does === "add" || before === nothing) return ofOne("add", after === nothing ? undefined : after);
  if (does === "delete" || after === nothing) return ofOne("delete", before);
  return ofBoth(before, after);
}

function ofOne(does: "add" | "delete", written: string | undefined): Paths | undefined {
  if (written === undefined) return undefined;
  const path = withoutPrefix(written);
  // For a deletion, whether the file exists decides if "a/" is a prefix.
  return { does, path, otherPaths: does === "delete" && path !== written ? [written] : [] };
}

function ofBoth(before: string, after: string): Paths {
  const [bare, same] = [withoutPrefix(after), withoutPrefix(before)];
  const isPrefixed = bare !== after && same !== before && after[0] !== before[0];
  if (isPrefixed && bare === same) return { does: "update", path: bare, otherPaths: [] };
  if (before === after) return { does: "update", path: after, otherPaths: bare === after ? [] : [bare] };
  const [short, long] = isPrefixed ? [bare, same] : [after, before];
  // "file.orig" and "file" are one file; the shorter name is meant.
  if (short.startsWith(long)) return { does: "update", path: long, otherPaths: [] };
  if (long.startsWith(short)) return { does: "update", path: short, otherPaths: [] };
  const [under, underOther] = [below(after), below(before)];
  const isOneBelow = under !== undefined && under === underOther;
  return { does: "update", path: short, otherPaths: isOneBelow ? [long, under] : [long] };
}

const below = (path: string): string | undefined => /^[^/]+\/(.+)$/.exec(path)?.[1];

/** Strips git's "a/" and "b/", or the prefixes of `diff.mnemonicPrefix`. */
function withoutPrefix(name: string): string {
  return name.replace(/^[abciow12]\/(?=[^/])/, "");
}

function quotedAtStart(words: string): string {
  return /^"(?:[^"\\]|\\.)*"/.exec(words)?.[0] ?? "";
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
};

/** Decodes git's quoting of unusual names: C-like, with bytes in octal. */
function decodeQuoted(words: string): string {
  const inner = quotedAtStart(words).slice(1, -1);
  const bytes = inner.replace(/\\([0-7]{3})|\\(.)|[^\\]+/gsu, (part, octal?: string, letter?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return Buffer.from(letter === undefined ? part : (escapes[letter] ?? letter)).toString("latin1");
  });
  return Buffer.from(bytes, "latin1").toString();
}
