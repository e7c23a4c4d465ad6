/** The text of `toolwright --help`, from the tables of commands and options. */
import { commands } from "./commands.ts";
import { describe, describeTaken, width, wrap } from "./help-words.ts";
import { options } from "./options.ts";

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
    ...describeTaken("diff"),
    "",
    "For toolwright undo:",
    ...options.filter(({ only }) => only === "undo").flatMap(describe),
    "",
    "For toolwright sessions:",
    ...describeTaken("sessions"),
    ...options.filter(({ only }) => only === "sessions").flatMap(describe),
    "",
    "For toolwright inspect:",
    ...options.filter(({ only }) => only === "inspect").flatMap(describe),
    "",
    "For toolwright policy simulate:",
    ...options.filter(({ only }) => only === "policy").flatMap(describe),
    "",
    "For toolwright serve:",
    ...describeTaken("serve"),
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
