/** /goal: what has to be met and verified before a request is done. */

import { visibleLine } from "../../base/visible-text.ts";
import type { CommandOutcome } from "../../protocol/commands.ts";
import { say } from "./attaching.ts";
import { showNew, tellProblem } from "./queue-commands.ts";
import type { Talk } from "./talk.ts";

/** Setting a goal sets to work on it: at the prompt with a new request, during one at its next step. */
export async function goal(talk: Talk, rest: string): Promise<(() => Promise<CommandOutcome>) | undefined> {
  const { session, terminal } = talk;
  if (rest === "") {
    const { goal: condition } = session.state;
    terminal.note(
      condition === undefined
        ? "There is no goal. /goal CONDITION sets one: requests then go on until it is met and verified."
        : `The goal: ${visibleLine(condition)} (/goal off drops it)`,
    );
    return undefined;
  }
  const isOff = /^(?:off|none|clear)$/iu.test(rest);
  if (isOff && session.state.goal === undefined) {
    terminal.note("There is no goal.");
    return undefined;
  }
  const set = await session.command({
    type: "set-goal",
    by: "terminal",
    ...(isOff ? {} : { condition: rest }),
  });
  tellProblem(talk, set);
  await showNew(talk);
  if (isOff || !set.ok) return undefined;
  const send = (): Promise<CommandOutcome> =>
    say(talk, `Work until this goal is met, and verify it: ${rest}`);
  if (!talk.busy) return send;
  tellProblem(talk, await send());
  return undefined;
}
