/**
 * Commands that plainly only read, inside the workspace: the short list that runs without a question.
 * Conservative on purpose: one program, literal words, no shell operator, nothing that reaches outside.
 * A parser that understands whole command lines takes this place in a later release.
 */

/** Programs without an option that writes, runs another program or reaches the network. */
const readers = new Set([
  "basename", "cat", "cmp", "cut", "date", "dirname", "du", "echo", "false", "file", "grep", "head", "ls",
  "nl", "pwd", "stat", "tail", "test", "true", "uname", "wc", "which", "whoami",
]); // prettier-ignore

/** Options of the readers that do more than read, or never end. */
const refused: Readonly<Record<string, RegExp>> = {
  date: /^(-s|--set)/u,
  tail: /^(-[a-zA-Z]*[fF]|--follow|--retry)/u,
  file: /^(-[a-zA-Z]*[Cm]|--compile|--magic-file)/u,
};

/** `program --version` tells and ends, for these. */
const versioned = new Set(["node", "npm", "git", "python3", "tsc", "cargo", "rustc", "go", "gcc"]);

/** Whether the line is one plain command that only reads the workspace. */
export function isPlainlyHarmless(line: string): boolean {
  const words = plainWords(line);
  if (!words) return false;
  const [program = "", ...rest] = words;
  if (versioned.has(program)) return rest.length === 1 && (rest[0] === "--version" || rest[0] === "version");
  if (!readers.has(program)) return false;
  const bad = refused[program];
  return rest.every((word) => !bad?.test(word) && staysInside(word));
}

/** The words of a line made of nothing but literal words, or undefined. */
function plainWords(line: string): string[] | undefined {
  const word = /^(?:[A-Za-z0-9_./:@%+,=-]+|'[^'\p{Cc}]*'|"[^"$`\\!\p{Cc}]*")+/u;
  const words: string[] = [];
  let rest = line.trim();
  if (rest.length > 2_000) return undefined;
  while (rest !== "") {
    const found = word.exec(rest)?.[0];
    if (found === undefined) return undefined;
    words.push(found.replaceAll(/['"]/gu, ""));
    const after = rest.slice(found.length);
    rest = after.replace(/^[ \t]+/u, "");
    if (rest !== "" && rest === after) return undefined;
  }
  const first = words[0] ?? "";
  return first === "" || first.includes("=") ? undefined : words;
}

/** False for words that may name something outside the workspace, also behind `--option=`. */
function staysInside(word: string): boolean {
  const value = word.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word;
  return !value.startsWith("/") && !value.startsWith("~") && !value.split("/").includes("..");
}
