/** Reads commands from files: prewritten messages that are sent by name, in our format and those of other agents. */

import { basename } from "node:path";
import type { AddonDirectories } from "../part.ts";
import { callableName } from "./callable-name.ts";
import {
  type DefinitionFile,
  definitionsIn,
  descriptionLine,
  type FoundDefinitions,
  firstLine,
} from "./definition-files.ts";
import type { CommandFile } from "./definition.ts";
import { argumentNamesIn, type Head, isTrue, textIn } from "./front-matter.ts";
import { commandFolders } from "./places.ts";
import { readTomlHead } from "./toml-head.ts";
import { unheededIn } from "./unheeded-keys.ts";

/** Never throws. `problems`: one line each, for people. */
export function commandFiles(place: AddonDirectories): Promise<FoundDefinitions<CommandFile>> {
  return definitionsIn(commandFolders(place), place, (file) => commandOf(file, place));
}

async function commandOf(
  file: DefinitionFile,
  place: AddonDirectories,
): Promise<CommandFile | string | undefined> {
  if (isTrue(file.head, "disable")) return undefined;
  const name = callableName(file.name);
  if (name.length > 64) return "its name is longer than 64 characters";
  const read = file.suffix === ".toml" ? await fromToml(file.body) : file;
  if (typeof read === "string") return read;
  const { head, body: text } = read;
  const { body, unfilled } =
    file.suffix === ".prompt.md" ? withEditorsPlaces(text, place) : { body: text, unfilled: undefined };
  if (body.trim() === "") return file.suffix === ".toml" ? "it has no `prompt`" : "it has no text";
  const hint = hintOf(head);
  const unheeded = [...file.wrong, unheededIn(head) ?? "", unfilled ?? ""].join(" ").trim();
  return {
    name,
    ...(name === file.name ? {} : { written: file.name }),
    description: descriptionLine(textIn(head, "description") ?? firstLine(body)),
    argumentHint: hint,
    ...argumentNamesIn(head),
    ...(unheeded === "" ? {} : { unheeded }),
    body: body.trim(),
    path: file.path,
    from: file.from,
  };
}

/** YAML parses `[pull request] [priority]` as a list. */
function hintOf(head: Head): string | undefined {
  const { "argument-hint": hint } = head;
  const words = Array.isArray(hint)
    ? hint.map((one) => `[${String(one)}]`).join(" ")
    : textIn(head, "argument-hint");
  return words === undefined ? undefined : descriptionLine(words).slice(0, 80);
}

/**
 * Reads `description` and `prompt`, and converts the format's placeholders for commands and files to the common ones.
 */
async function fromToml(text: string): Promise<{ head: Head; body: string } | string> {
  const head = await readTomlHead(text);
  if (typeof head === "string") return head;
  const body = withCommands(textIn(head, "prompt") ?? "").replaceAll(
    /@\{([^{}]+)\}/gu,
    (_, path: string) => `@${path.trim()}`,
  );
  return { head, body };
}

/** Converts `!{command}` to the other formats' syntax; the command itself may contain balanced braces. */
function withCommands(text: string): string {
  const [before = "", ...rest] = text.split("!{");
  return rest.reduce((all, piece) => {
    let open = 1;
    let end = 0;
    for (; end < piece.length && open > 0; end += 1) open += { "{": 1, "}": -1 }[piece.charAt(end)] ?? 0;
    const command = piece
      .slice(0, end - 1)
      .trim()
      .replaceAll("\n", " ");
    return open > 0 ? `${all}!{${piece}` : `${all}!\`${command}\`${piece.slice(end)}`;
  }, before);
}

/** `unfilled`: a sentence about the placeholders that remain. */
function withEditorsPlaces(
  text: string,
  { workspace }: Pick<AddonDirectories, "workspace">,
): { body: string; unfilled: string | undefined } {
  const body = text.replaceAll(ofWorkspace, (_, name: string) =>
    withoutPlaces(name === "" ? workspace : basename(workspace)),
  );
  const left = [...new Set(Array.from(text.matchAll(ofEditor), ([place]) => place))];
  if (left.length === 0) return { body, unfilled: undefined };
  const [what, stays] = left.length === 1 ? ["is a place", "it stays"] : ["are places", "they stay"];
  return {
    body,
    unfilled: `${left.slice(0, 8).join(", ")} ${what} that an editor fills: ${stays} as written, so say what is meant.`,
  };
}

const ofWorkspace = /\$\{workspaceFolder(Basename|)\}/gu;

const ofEditor =
  /\$\{(?:selection|selectedText|lineNumber|columnNumber|cwd|file(?:Basename|BasenameNoExtension|Dirname|DirnameBasename|Extname|WorkspaceFolder)?|relativeFile(?:Dirname)?)\}/gu;

/** Escapes text in a path that looks like an argument placeholder. */
const withoutPlaces = (path: string): string => path.replaceAll(/\$(?=[A-Z@{1-9])/gu, String.raw`\$$`);
