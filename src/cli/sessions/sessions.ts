/** `toolwright sessions`: a table of all subcommands on the stored sessions. */

import { didYouMean } from "../../configuration/options/nearest.ts";
import type { OptionName, Values } from "../../configuration/options/options.ts";
import { options } from "../../configuration/options/options.ts";
import { openStore } from "../../runtime/runtime.ts";
import { visibleLine } from "../../view/visible.ts";
import { exitCodes, type CliContext, type CommandWords } from "../cli-context.ts";
import { removeSessions } from "./delete.ts";
import { exportSession, importFile } from "./files.ts";
import { listSessions, searchSessions } from "./list.ts";
import { forkNamed, renameNamed } from "./moves.ts";
import { showSession } from "./show.ts";
import { refuse, type SubcommandContext } from "./words.ts";

type SessionsSubcommand = {
  name: string;
  usage: string;
  /** The minimum number of words after the subcommand's name. */
  least: number;
  most: number;
  /** Which of the options specific to `sessions` it accepts. */
  takes: readonly OptionName[];
  run(work: SubcommandContext): Promise<number>;
};

const any = Number.POSITIVE_INFINITY;
const subcommands: readonly SessionsSubcommand[] = [
  { name: "list", usage: "list", least: 0, most: 0, takes: ["all", "limit"], run: listSessions },
  {
    name: "search",
    usage: "search WORDS",
    least: 1,
    most: any,
    takes: ["all", "limit"],
    run: searchSessions,
  },
  { name: "show", usage: "show ID [FILE] [--html]", least: 1, most: 2, takes: ["html"], run: showSession },
  { name: "rename", usage: "rename ID TITLE", least: 2, most: any, takes: [], run: renameNamed },
  { name: "fork", usage: "fork [ID] [--at TURN]", least: 0, most: 1, takes: ["at"], run: forkNamed },
  {
    name: "delete",
    usage: "delete ID…, or delete --older-than 30d",
    least: 0,
    most: any,
    takes: ["yes", "olderThan", "all"],
    run: removeSessions,
  },
  {
    name: "export",
    usage: "export ID [FILE], or export --all [FILE]",
    least: 0,
    most: 2,
    takes: ["format", "all"],
    run: exportSession,
  },
  { name: "import", usage: "import FILE [--all]", least: 1, most: 1, takes: ["all"], run: importFile },
];

/** Exit code 2 for wrong usage. Throws StoreError. */
export async function runSessions(context: CliContext, { words, flags }: CommandWords): Promise<number> {
  const [name = "list", ...rest] = words;
  const subcommand = subcommands.find((known) => known.name === name);
  if (!subcommand) return refuse(context, unknown(name), exitCodes.usage);
  const wrong = misuse(subcommand, rest, flags);
  if (wrong !== undefined) return refuse(context, wrong, exitCodes.usage);
  const opened = await openStore(context.settings);
  if (!opened.ok) return refuse(context, opened.problem, exitCodes.failed);
  try {
    return await subcommand.run({ context, store: opened.value, words: rest, flags });
  } finally {
    await opened.value.close();
  }
}

function unknown(name: string): string {
  const names = subcommands.map((known) => known.name);
  return `There is no toolwright sessions ${visibleLine(name)}${didYouMean(name, names)}: it has ${names.join(", ")}.`;
}

function misuse(subcommand: SessionsSubcommand, words: readonly string[], flags: Values): string | undefined {
  const { usage, least, most, takes } = subcommand;
  if (words.length < least) return `An argument is missing: toolwright sessions ${usage}`;
  if (words.length > most)
    return `toolwright sessions ${subcommand.name} does not take "${visibleLine(words[most] ?? "")}": toolwright sessions ${usage}`;
  const stray = options.find(
    ({ name, only }) => only === "sessions" && flags[name] !== undefined && !takes.includes(name),
  );
  return stray && `--${stray.flag} is not for toolwright sessions ${subcommand.name}: see toolwright --help`;
}
