/** What a screen tells of its session at any time. */

import type { ScreenFigures } from "../../tui/screen/screen-tail.ts";
import { shortCost } from "../../view/cost.ts";
import { shownText } from "../../view/shown-text.ts";
import { visibleLine } from "../../view/visible.ts";
import type { Talk } from "./talk.ts";

/** What takes a moment to find out. */
type LookedUp = Pick<ScreenFigures, "context" | "branch">;

/**
 * What takes a moment is looked up anew when the session has grown; until then the last stands. `told`: called when
 * there is something else to show.
 */
export function keptFigures(talk: () => Talk): (told: () => void) => ScreenFigures {
  let known: LookedUp = { context: undefined, branch: undefined };
  let seen = "";
  let isLooking = false;
  const look = async (told: () => void): Promise<void> => {
    isLooking = true;
    const { session, runtime } = talk();
    const branch = await runtime.branch().catch(() => undefined);
    const report = await session.context().catch(() => undefined);
    const context = report && report.tokens / Math.max(1, report.limit);
    known = { context, branch: branch === undefined ? branch : visibleLine(branch) };
    isLooking = false;
    told();
  };
  return (told) => {
    const { session } = talk();
    const { turns, compactions } = session.state;
    const { answers = 0, endedAt = 0 } = turns.at(-1) ?? {};
    const now = [session.id, turns.length, answers, endedAt, compactions].join(" ");
    if (now !== seen && !isLooking) {
      seen = now;
      void look(told);
    }
    return { ...known, ...presentFigures(talk()) };
  };
}

function presentFigures({ session, isUncontained }: Talk): Omit<ScreenFigures, keyof LookedUp> {
  const { state } = session;
  return {
    mode: session.mode,
    model: visibleLine(session.model.name.slice(session.model.name.lastIndexOf("/") + 1)),
    cost: state.turns.length === 0 ? undefined : shortCost({ dollars: state.cost, unknown: state.unpriced }),
    isUncontained,
    todos: state.todos,
    queued: state.queue.map(({ content, when }) => ({
      text: content.flatMap((part) => (part.type === "text" ? [shownText(part)] : [])).join(" "),
      when,
    })),
  };
}
