/** The files that a command line can see and change, if its words name all of them. */

import { basename, isAbsolute, join, relative } from "node:path";
import { isWithin } from "../base/paths.ts";
import {
  type Command,
  parseShell,
  type PipelineNode,
  type Redirection,
  type Word,
  type WordPart,
} from "./command-line/parse.ts";
import type { FilesOfLine } from "./named-files.ts";
import { statusOf } from "./on-disk.ts";

/** `directory`: as the call has it. */
type LinePlace = {
  workspace: string;
  directory: string;
  environment: Readonly<Record<string, string | undefined>>;
};

/** Programs whose words name no file, and the options that leave it so. */
const nameless = new Map([
  ...allNames("true false : echo sleep seq"),
  ["printf", /^-[^v]/u], // `-v` sets a variable, whose index is evaluated; of the time see below
]);

/** Programs that look at nothing but what their words name, and the options that leave it so. */
const naming = new Map([
  ...allNames("cat head tail tac nl cut tr uniq tee mkdir truncate pwd basename dirname"),
  ["rm", /^-[rRfdv]+$/u],
  ["cp", /^-[fvn]+$/u], // the others may copy links, or what lies in directories
  ["grep", /^-[^-rRdD]+$/u], // these look into directories
  ["wc", /^-[^-]/u], // a long option reads names from a file
  ["sort", /^-[^-]/u],
  ["test", /^-(?![vRN]|[no]t$)/u], // these are about variables and times
  ["[", /^-(?![vRN]|[no]t$)/u],
]);

function allNames(names: string): [string, RegExp][] {
  return names.split(" ").map((name) => [name, /^/u]);
}

/** What makes other code run, or other files count, in programs that say nothing of it. */
const steering = /^(?:LD_|BASH_|ENV$|LOCPATH$|GCONV_PATH$|NLSPATH$|GREP_)/u;

/** Undefined if the line may see more than its words name: then nothing is known of it. */
export function namedFiles(line: string, place: LinePlace): FilesOfLine | undefined {
  const { environment } = place;
  if (Object.keys(environment).some((name) => steering.test(name) && environment[name] !== ""))
    return undefined;
  const parsed = parseShell(line);
  const directory = pathIn(place.directory, "", place.workspace);
  if (!parsed.ok || directory === undefined) return undefined;
  const words: string[] = [];
  for (const { command, background } of parsed.value.script.commands) {
    const parts = command.type === "AndOr" ? command.commands : [command];
    if (background === true || !parts.every((part) => takePipeline(part, words))) return undefined;
  }
  const places = [
    ...words.filter((word) => word !== ""),
    ...searchedIn(environment["PATH"], place.workspace),
  ];
  if (places.length > mostNames) return undefined;
  const paths: string[] = [];
  for (const word of places) {
    const path = pathIn(word, directory, place.workspace);
    if (path === undefined) return undefined;
    paths.push(path);
  }
  const isPlain = [directory, ...paths].every((path) => !passesLink(place.workspace, path));
  return isPlain ? { directory, paths: paths.filter((path) => path !== devices) } : undefined;
}

function takePipeline(node: PipelineNode, words: string[]): boolean {
  if (node.type === "Pipeline") return node.commands.every((command) => takePipeline(command, words));
  return node.type === "Command" && takeCommand(node, words);
}

function takeCommand({ name, prefix, args, redirects }: Command, words: string[]): boolean {
  const program = name && literalOf(name);
  if (prefix.some(({ type }) => type === "Assignment")) return false;
  if (program === undefined || !redirects.every((one) => takeRedirection(one, words))) return false;
  const options = nameless.get(program) ?? naming.get(program);
  if (!options) return false;
  const given: string[] = [];
  for (const arg of args) {
    const word = arg.type === "Word" ? literalOf(arg) : undefined;
    if (word === undefined) return false;
    const isOption = word.startsWith("-") && word !== "-" && word !== "--";
    if (isOption && (word.length > longestOption || !options.test(word))) return false;
    given.push(word);
  }
  if (program === "printf" && given.some((word) => word.includes("%("))) return false; // the time
  if (!nameless.has(program)) words.push(...given.flatMap(namesIn));
  // In a directory the copy has the name of what is copied.
  if (program === "cp") words.push(...given.map((word) => `${given.at(-1) ?? ""}/${basename(word)}`));
  return true;
}

/** Each end of it may be a name. */
const longestOption = 100;
/** A line with more is not worth the look at each. */
const mostNames = 200;

/** The value of an option may be any end of its word: `-nFILE`, `--reference=FILE`. */
const namesIn = (word: string): string[] =>
  word.startsWith("-") ? Array.from(word, (_, at) => word.slice(at + 1)) : [word];

function takeRedirection(one: Redirection, words: string[]): boolean {
  if (one.descriptor?.type === "FileDescriptorVariable") return false;
  if (one.type === "HereDoc") return one.delimiter?.quoted === true || !/[$`]/u.test(one.body.text);
  const target = one.target && literalOf(one.target);
  if (target === undefined) return false;
  const isDescriptor = one.type === "Redirect" && one.operator.endsWith("&") && /^(?:\d+-?|-)$/u.test(target);
  if (one.type === "Redirect" && !isDescriptor) words.push(target);
  return true;
}

/** Undefined if the shell makes something else of it. */
const literalOf = ({ value, text, parts }: Word): string | undefined =>
  (parts ? isLiteral(parts) : !special.test(text) || text === "[") ? value : undefined;

const isLiteral = (parts: readonly WordPart[]): boolean =>
  parts.every(
    (part) =>
      (part.type === "Literal" && !special.test(part.text)) ||
      part.type === "SingleQuoted" ||
      (part.type === "DoubleQuoted" && part.parts.every((inner) => inner.type === "Literal")),
  );

const special = /[*?[{~$`]/u;

/** Stands for devices that everybody has, and that nothing changes. */
const devices = "\0";
const plainDevice = /^\/dev\/(?:null|zero|stdin|stdout|stderr)$/u;

/** Relative to the workspace; undefined outside of it, and for what the place of a directory decides. */
function pathIn(word: string, directory: string, workspace: string): string | undefined {
  if (plainDevice.test(word)) return devices;
  if (word.split("/").includes("..")) return undefined;
  const path = isAbsolute(word) ? word : join(workspace, directory, word);
  const inside = relative(workspace, path);
  return isWithin(workspace, path) && !/(?:^|\/)\.git(?:\/|$)/iu.test(inside) ? inside : undefined;
}

/** Where programs are looked for within the workspace; an empty entry is the directory. */
const searchedIn = (path = "", workspace: string): string[] =>
  path
    .split(":")
    .flatMap((entry) => (isAbsolute(entry) && !isWithin(workspace, entry) ? [] : [entry || "."]));

/** What a link leads to is named by no word. */
function passesLink(workspace: string, path: string): boolean {
  if (path === devices) return false;
  const names = path.split("/");
  return names.some(
    (_, at) => statusOf(join(workspace, ...names.slice(0, at + 1)))?.isSymbolicLink() === true,
  );
}
