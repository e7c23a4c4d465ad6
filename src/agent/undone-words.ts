/** Informs the model of what people undid and redid since it was last asked, by a message behind all that it knows. */

import { shownPath } from "../base/safe-fs/problems.ts";
import { isSameStanding, type UntoldChange } from "../protocol/fold-changes.ts";
import { type SessionState, undoneCode } from "../protocol/session-state.ts";
import type { Move } from "./move.ts";

/** The move before asking the model, if files are not as it left them because a person wanted that. */
export function undoneMove({ untold }: Pick<SessionState, "untold">): Move | undefined {
  const changed = [...untold].filter(([, { before, after }]) => !isSameStanding(before, after));
  if (changed.length === 0) return undefined;
  const groups = Object.entries(kinds).flatMap(([kind, words]) => {
    const paths = changed.filter(([, change]) => kindOf(change) === kind).map(([path]) => shownPath(path));
    return paths.length === 0 ? [] : [`- ${words}: ${inShort(paths)}`];
  });
  const text = ["The user undid changes:", ...groups, "Read a file again before you change it."].join("\n");
  return { type: "tell", facts: [{ type: "nudge", code: undoneCode, text }] };
}

const kinds = {
  undone: "as before them",
  gone: "not there any more",
  partly: "in part as before them",
  redone: "changed again",
};

const kindOf = ({ how, after }: UntoldChange): keyof typeof kinds => (after === null ? "gone" : how);

function inShort(paths: readonly string[]): string {
  const more = paths.length - mostNamed;
  return paths.slice(0, mostNamed).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

const mostNamed = 50;
