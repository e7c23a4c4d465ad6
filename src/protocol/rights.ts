/** What a person may do with a session, and what each command needs. */

import type { Command } from "./commands.ts";

/** Each includes those before it. `manage`: the server itself, and everybody's sessions. */
export const rights = ["read", "answer", "work", "manage"] as const;
/** How much somebody may do, with a session or at all. @public */
export type Right = (typeof rights)[number];

export const includes = (most: Right, right: Right): boolean => rights.indexOf(right) <= rights.indexOf(most);

const commandRights = {
  send: "work",
  withdraw: "work",
  "answer-approval": "answer",
  "answer-question": "answer",
  "answer-limit": "answer",
  "go-on": "answer",
  interrupt: "answer",
  "set-mode": "work",
  "set-model": "work",
  "set-reasoning": "work",
  "revoke-grant": "work",
  rename: "work",
  "set-goal": "work",
  compact: "work",
  undo: "work",
  redo: "work",
  keep: "work",
} satisfies Record<Command["type"], Right>;

/**
 * An answer that brings a command or a mode of its own, or that counts for other sessions too, is work. Without a sandbox
 * commands see what the server itself has.
 */
export function rightFor(command: Command): Right {
  if ((command.type === "set-mode" || command.type === "answer-question") && command.mode === "trusted")
    return "manage";
  const isMore =
    (command.type === "answer-approval" && (command.command !== undefined || command.scope === "project")) ||
    (command.type === "answer-question" && command.mode !== undefined);
  return isMore ? "work" : commandRights[command.type];
}

/** The command as this person's, whomever it names. */
export function signedBy(command: Command, by: string): Command {
  switch (command.type) {
    case "interrupt": {
      const { device: _, ...told } = command;
      return { ...told, by };
    }
    case "go-on": // becomes no fact of its own
      return command;
    default:
      return { ...command, by };
  }
}
