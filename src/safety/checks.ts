/** Whether the success of a command line says that the workspace's files were checked: built, type-checked, linted, tested. */

import { parseShell, type SyntaxNode } from "./command-line/parse.ts";
import type { Around } from "./dangers/program.ts";
import { judgeCommand } from "./judge.ts";

/** Never throws. False where the exit code of the line does not tell how the check ended: `npm test | tail`. */
export function isCheck(line: string, around: Around): boolean {
  const parsed = parseShell(line);
  if (!parsed.ok) return false;
  const last = parsed.value.script.commands.at(-1);
  if (!last || last.background) return false;
  return deciding(last.command).some(({ pos, end }) => checks(line.slice(pos, end), around));
}

/** A substitution and an interpreter have exit codes of their own; what wraps a command passes its exit code on. */
function checks(command: string, around: Around): boolean {
  if (/\$\(|`|[<>]\(/u.test(command)) return false;
  const { parts } = judgeCommand(command, around);
  return (
    parts.some((part) => part.checks) &&
    parts.every((part) => part.checks || part.kind === "wrapper" || part.kind === "builds")
  );
}

type CodeRange = { readonly pos: number; readonly end: number };

/** The commands that have all succeeded if the node has. */
function deciding(node: SyntaxNode): readonly CodeRange[] {
  switch (node.type) {
    case "Command":
      return [node];
    case "AndOr":
      return node.operators.every((operator) => operator === "&&") ? node.commands.flatMap(deciding) : [];
    case "Pipeline": {
      const [only, second] = node.commands;
      const isNegated = node.prefixes.some(({ type }) => type !== "Time");
      return only && !second && !isNegated ? deciding(only) : [];
    }
    case "Redirected":
      return deciding(node.command);
    case "Subshell":
    case "BraceGroup": {
      const last = node.body.commands.at(-1);
      return last && !last.background ? deciding(last.command) : [];
    }
    default:
      return [];
  }
}
