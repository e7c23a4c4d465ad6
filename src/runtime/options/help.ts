/** The text of `toolwright --help`, from the tables of commands and options. */

import { commands } from "./commands.ts";
import { describe, width, wrap } from "./help-words.ts";
import { options } from "./options.ts";

export function helpText(): string {
  const starts = [
    ["toolwright", "Start a conversation."],
    ['toolwright "…"', "Start a conversation with this message."],
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
    ...options.filter(({ only }) => only === undefined).flatMap((option) => describe(option)),
    "",
    "toolwright COMMAND --help shows the arguments and options of a command.",
    ...wrap(
      "Exit codes: 0 done, 1 failed, 2 usage, 3 something was denied, 4 a limit was reached, 130 interrupted.",
      width,
    ),
    "",
  ].join("\n");
}
