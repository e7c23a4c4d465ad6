/** /trust in a conversation: shows and approves what the workspace brings along, as this session found it. */

import { isNamed, wholeNames } from "../../trust/trust.ts";
import { visibleLine } from "../../view/visible.ts";
import type { Talk } from "../conversation/talk.ts";
import { agreedLines, allBesides, broughtLines, forgottenLines, meansAll, whatToSay } from "./lines.ts";

/** Approves exactly the content that was shown: one that changes meanwhile waits again. */
export async function trust({ runtime, session, terminal, style }: Talk, rest: string): Promise<void> {
  const { trust: kept } = runtime;
  const refuse = (problem: string): void => terminal.note(style.yellow(`! ${visibleLine(problem)}`));
  await session.ready(); // the settings may have changed since
  const typed = wordsOf(rest);
  const [first, ...named] = typed;
  const others = wholeNames(named, [...kept.known(), ...kept.agreed()]);
  const waiting = kept.waiting();
  if (first === undefined)
    return terminal.note(
      ...broughtLines({ waiting, agreed: kept.agreed(), before: kept.agreed(), by: "/trust" }),
    );
  if (first === "show") {
    const { showTrust } = await import("./contents.ts"); // rarely needed, so loaded lazily
    const { workspace } = runtime;
    const shown = await showTrust(kept.known(), others, { workspace, agreed: kept.agreed(), by: "/trust" });
    return terminal.note(...(shown.ok ? shown.lines : [style.yellow(`! ${visibleLine(shown.problem)}`)]));
  }
  if (first === "forget") {
    const all = others.length === 0 || meansAll(others, kept.agreed());
    if (all && others.length > 1) return refuse(allBesides("/trust forget"));
    const forgotten = await kept.forget(all ? "all" : others);
    return terminal.note(
      ...(forgotten.ok
        ? forgottenLines(forgotten.value)
        : [style.yellow(`! ${visibleLine(forgotten.problem)}`)]),
    );
  }
  const words = wholeNames(typed, kept.known());
  const isAll = meansAll(words, kept.known());
  if (isAll && words.length > 1) return refuse(allBesides("/trust"));
  const meant = isAll ? waiting : waiting.filter((thing) => isNamed(thing, words));
  const unknown = isAll ? undefined : words.find((word) => !meant.some((thing) => isNamed(thing, [word])));
  if (unknown !== undefined) return refuse(whatToSay(unknown, "/trust"));
  const agreed = meant.length === 0 ? { ok: true as const } : await kept.agree(meant);
  terminal.note(...(agreed.ok ? agreedLines(meant) : [style.yellow(`! ${visibleLine(agreed.problem)}`)]));
}

/** A name with spaces is written in quotes. */
const wordsOf = (rest: string): string[] =>
  [...rest.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu)].map(([, a, b, c]) => a ?? b ?? c ?? "");
