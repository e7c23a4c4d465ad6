/** Slash commands beyond the built-in ones: command files and skills, read on demand. */

import type { AddonDirectories } from "../../addons/part.ts";
import { callableName } from "../../addons/skills/callable-name.ts";
import type { FoundSkill } from "../../addons/skills/find-skills.ts";
import type { Trust } from "../../addons/trust.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import type { Config } from "../../configuration/config.ts";
import { conversationCommand } from "../../configuration/options/conversation-commands.ts";
import { addonDirectoriesIn } from "../reading.ts";

/** `path`: the file that defines it, absolute. */
export type FileCommand = {
  kind: "command" | "skill";
  name: string;
  /** The file's name, if it cannot be typed as one word. */
  written?: string;
  description: string;
  argumentHint?: string;
  /** A one-line warning about front-matter settings that are not supported. */
  unheeded?: string;
  from: "user" | "workspace";
  path: string;
};

/** `text` replaces what was typed, for the model. */
export type ExpandedCommand = { command: FileCommand; text: string };

export interface FileCommands {
  /** Command files first; `problems`: one line each. */
  list(): Promise<{ commands: FileCommand[]; problems: string[] }>;
  /** Undefined if no command is called `name`. The problem says why it cannot be used. */
  expand(
    name: string,
    typed: string,
    signal?: AbortSignal,
  ): Promise<ExpandedCommand | { problem: string } | undefined>;
}

/** The same without a runtime. */
export async function fileCommandsIn(
  settings: Pick<Config, "workspace" | "stateDir" | "configDir" | "rules" | "autoApproveEdits">,
  env: EnvironmentVariables,
): Promise<FileCommands> {
  const { openTrust } = await import("../../trust/trust.ts");
  const place = await addonDirectoriesIn(settings, env);
  return fileCommandsOf(place, openTrust(settings.stateDir, place.workspace));
}

type KnownCommand = { command: FileCommand; expand(typed: string): Promise<string | undefined> };

export function fileCommandsOf(place: AddonDirectories, trust: Trust): FileCommands {
  return {
    async list() {
      const { known, problems } = await find(place, trust);
      return { commands: known.map(({ command }) => command), problems };
    },
    async expand(written, typed) {
      const { known, leftOut } = await find(place, trust);
      const { found, rest } = commandAndRest(known, written, typed);
      if (!found) return notUsed(leftOut, written);
      const { command } = found;
      const text = await found.expand(rest);
      return text === undefined ? { problem: `${command.path} cannot be read any more.` } : { command, text };
    },
  };
}

type CommandCollection = { known: KnownCommand[]; problems: string[]; leftOut: ReadonlyMap<string, string> };

async function find(place: AddonDirectories, trust: Trust): Promise<CommandCollection> {
  const [{ commandFiles }, { findSkills }, { expandCommand }] = await Promise.all([
    import("../../addons/skills/commands.ts"),
    import("../../addons/skills/find-skills.ts"),
    import("../../addons/skills/expand.ts"),
  ]);
  const [files, skills] = [await commandFiles(place), await findSkills(place)];
  const names = new Set(files.found.map(({ name }) => name));
  const others = skills.found.filter(({ name }) => !names.has(name));
  const waiting = new Set(others.filter(({ brought }) => brought && !trust.allows(brought)));
  const usable = others.filter((skill) => !waiting.has(skill));
  const known: KnownCommand[] = [
    ...files.found.map((file) => {
      const { body, argumentNames, ...rest } = file;
      const text = { body, argumentNames };
      return {
        command: { kind: "command" as const, ...rest },
        expand: async (typed: string) => expandCommand(text, typed),
      };
    }),
    ...usable.map((skill) => ({
      command: commandOf(skill),
      expand: async (typed: string) => {
        const body = await skillText(skill, place);
        const { argumentNames } = skill;
        return body === undefined ? undefined : expandCommand({ body, argumentNames }, typed);
      },
    })),
  ];
  const leftOut = new Map([...skills.leftOut, ...files.leftOut]);
  for (const { name } of waiting) leftOut.set(name, `The skill ${name} ${waits}`);
  const ours = known.filter(isOurs);
  for (const one of ours) leftOut.set(one.command.name, standsBehind(one));
  return {
    known: known.filter((one) => !isOurs(one)),
    problems: [...files.problems, ...skills.problems, ...ours.map(standsBehind)],
    leftOut,
  };
}

const isOurs = ({ command }: KnownCommand): boolean => conversationCommand(command.name) !== undefined;

const standsBehind = ({ command: { name, path } }: KnownCommand): string =>
  `/${name} is a command of our own, so ${path} is not called by it: give it another name.`;

const waits =
  "has something to run and is not used until you agree: look with `toolwright trust`, or /trust in a conversation.";

function notUsed(leftOut: CommandCollection["leftOut"], written: string): { problem: string } | undefined {
  const problem = leftOut.get(callableName(written));
  return problem === undefined ? undefined : { problem };
}

const commandOf = (skill: FoundSkill): FileCommand => {
  const { name, written, description, argumentHint, unheeded, from, file } = skill;
  return {
    kind: "skill",
    name,
    written,
    description,
    argumentHint,
    unheeded,
    from,
    path: file,
  };
};

async function skillText(skill: FoundSkill, place: AddonDirectories): Promise<string | undefined> {
  const { loadSkill } = await import("../../addons/skills/load-skill.ts");
  const loaded = await loadSkill(skill, place);
  const [part] = loaded.outcome === "ok" ? loaded.content : [];
  return part?.type === "text" ? part.text : undefined;
}

/** Finds the command by its name, or by several words if a file is named exactly so: "my notes". */
function commandAndRest(
  among: readonly KnownCommand[],
  written: string,
  typed: string,
): { found?: KnownCommand; rest: string } {
  const found = commandByName(among, written);
  if (found) return { found, rest: typed };
  const line = `${written} ${typed}`;
  const spaced = among
    .filter(({ command }) => command.written !== undefined && beginsWith(line, command.written))
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))[0];
  return spaced ? { found: spaced, rest: line.slice(lengthOf(spaced)) } : { rest: typed };
}

const lengthOf = ({ command }: KnownCommand): number => command.written?.length ?? 0;

const beginsWith = (line: string, name: string): boolean =>
  line.toLowerCase().startsWith(name.toLowerCase()) && /^(?:\s|$)/u.test(line.slice(name.length));

/** Matches exactly, else ignoring case, else by its last word if unique: folders need not be typed. */
function commandByName(among: readonly KnownCommand[], written: string): KnownCommand | undefined {
  const asked = written.toLowerCase();
  const [last, another] = among.filter(
    ({ command }) => command.name.toLowerCase().split(":").at(-1) === asked,
  );
  return (
    among.find(({ command }) => command.name === written) ??
    among.find(({ command }) => command.name.toLowerCase() === asked) ??
    (another ? undefined : last)
  );
}
