/** The text of `toolwright --help`, from the table of options. */
import { commands } from "./commands.ts";
import { type Option, options, usage } from "./options.ts";

/** A terminal's usual width. */
const width = 80;

export function helpText(): string {
  const starts = [
    ["toolwright", "Have a conversation."],
    ['toolwright "…"', "Have a conversation that begins with this."],
    ['toolwright -p "…"', "Do this, print the answer and exit."],
    ...commands.map((command) => [
      ["toolwright", command.name, ...("words" in command ? [command.words] : [])].join(" "),
      command.help,
    ]),
  ];
  const widest = Math.max(...starts.map(([start = ""]) => start.length));
  return [
    ...wrap("Toolwright is a coding agent that makes any model use tools reliably, safely and fast.", width),
    "",
    ...starts.map(([start = "", help = ""]) => `  ${start.padEnd(widest)}  ${help}`),
    "",
    "Options:",
    ...options.filter(({ only }) => only === undefined).flatMap(describe),
    "",
    "For toolwright diff, undo, redo and keep:",
    ...describeWords(
      "[TURN] [PATH…]",
      "Which request, by its number or the id of its checkpoint (toolwright checkpoints lists them); unless told, the newest with such changes. Of these files and directories only; ./5 is a file. The session is the newest of this workspace, or that of --resume.",
    ),
    "",
    "For toolwright undo:",
    ...options.filter(({ only }) => only === "undo").flatMap(describe),
    "",
    "For toolwright sessions:",
    ...describeWords(
      "list, search WORDS, show ID, rename ID TITLE, fork ID, delete ID…,",
      "or export ID [FILE], import FILE. ID is the end of an id, or words of the title, where only one session fits.",
    ),
    ...options.filter(({ only }) => only === "sessions").flatMap(describe),
    "",
    "For toolwright inspect:",
    ...options.filter(({ only }) => only === "inspect").flatMap(describe),
    "",
    "For toolwright policy simulate:",
    ...options.filter(({ only }) => only === "policy").flatMap(describe),
    "",
    "For toolwright serve:",
    ...describeWords(
      "[link]",
      "The gateway runs until it is stopped. `link` asks the one that runs for an address that lets a browser in.",
    ),
    ...options.filter(({ only, alsoFor }) => only === "serve" || alsoFor === "serve").flatMap(describe),
    "",
    "For toolwright lm-server:",
    ...options.filter(({ only }) => only === "lm-server").flatMap(describe),
    "",
    ...wrap(
      "Exit codes: 0 done, 1 failed, 2 usage, 3 something was denied, 4 a limit was reached, 130 interrupted.",
      width,
    ),
    "",
  ].join("\n");
}

function describe(option: Option): string[] {
  const notes = [
    ...(option.default === undefined ? [] : [`default: ${option.default}`]),
    ...(option.variable === undefined ? [] : [option.variable]),
  ];
  const tail = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  return describeWords(usage(option), option.help + tail);
}

function describeWords(words: string, help: string): string[] {
  return [`  ${words}`, ...wrap(help.replaceAll("`", ""), width - 8).map((line) => `        ${line}`)];
}

function wrap(text: string, width: number): string[] {
  return text.split(" ").reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= width) return [...lines, word];
    return [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
}
