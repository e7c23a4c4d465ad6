/** What `toolwright trust` and /trust do alike: list, show, agree to and forget what a workspace brings along. */

import { isNamed, type TrustItem, type WorkspaceTrust, wholeNames } from "../../trust/trust.ts";
import { showTrust } from "./contents.ts";
import {
  agreedLines,
  allBesides,
  broughtLines,
  forgottenLines,
  isAnother,
  meansAll,
  whatToSay,
} from "./lines.ts";

type TrustDesk = {
  workspace: string;
  trust: WorkspaceTrust;
  /** Everything that was found. */
  things: readonly TrustItem[];
  /** The command that is typed here. */
  by: string;
  /** Which of these, named by a person, are not what that person was shown. */
  notAsShown?: (named: readonly TrustItem[]) => readonly TrustItem[];
};

/** `shows`: what of it the person has seen whole. `isMisuse`: the words are wrong, and nothing was tried. */
type TrustReply =
  | { ok: true; value: object; lines: string[]; shows?: readonly TrustItem[] }
  | { ok: false; problem: string; isMisuse: boolean };

const misuse = (problem: string): TrustReply => ({ ok: false, problem, isMisuse: true });

export async function replyToTrust(words: readonly string[], desk: TrustDesk): Promise<TrustReply> {
  const [first, ...rest] = words;
  if (first === undefined) return list(desk);
  if (first === "show") return show(desk, rest);
  return first === "forget" ? forget(desk, rest) : agree(desk, words);
}

function list({ workspace, trust, things, by }: TrustDesk): TrustReply {
  const waiting = things.filter((thing) => !trust.allows(thing));
  const agreed = things.filter((thing) => !waiting.includes(thing));
  const lines = broughtLines({ waiting, agreed, before: trust.agreed(), by });
  return { ok: true, value: { workspace, waiting, agreed }, lines };
}

/** After seeing the contents a person may agree by name, as after the list. */
async function show(
  { workspace, trust, things, by }: TrustDesk,
  typed: readonly string[],
): Promise<TrustReply> {
  const shown = await showTrust(things, wholeNames(typed, things), { workspace, agreed: trust.agreed(), by });
  if (!shown.ok) return misuse(shown.problem);
  const { lines, things: shows } = shown;
  return { ok: true, value: { workspace, things: shows }, lines, shows };
}

async function agree(
  { workspace, trust, things, by, notAsShown }: TrustDesk,
  typed: readonly string[],
): Promise<TrustReply> {
  const words = wholeNames(typed, things);
  const isAll = meansAll(words, things);
  if (isAll && words.length > 1) return misuse(allBesides(by));
  const unknown = isAll ? undefined : words.find((word) => !things.some((thing) => isNamed(thing, [word])));
  if (unknown !== undefined) return misuse(whatToSay(unknown, by));
  const waiting = things.filter((thing) => !trust.allows(thing));
  const meant = isAll ? waiting : waiting.filter((thing) => isNamed(thing, words));
  const byName = meant.filter(({ hash }) => !words.some((word) => isNamed({ name: "", hash }, [word])));
  const [changed] = notAsShown?.(byName) ?? [];
  if (changed) return { ok: false, problem: isAnother(changed), isMisuse: false };
  const kept = meant.length === 0 ? { ok: true as const } : await trust.agree(meant);
  if (!kept.ok) return { ...kept, isMisuse: false };
  return { ok: true, value: { workspace, agreed: meant }, lines: agreedLines(meant) };
}

async function forget({ workspace, trust, by }: TrustDesk, typed: readonly string[]): Promise<TrustReply> {
  const agreed = trust.agreed();
  const words = wholeNames(typed, agreed);
  const isAll = words.length === 0 || meansAll(words, agreed);
  if (isAll && words.length > 1) return misuse(allBesides(`${by} forget`));
  const unknown = isAll ? undefined : words.find((word) => !agreed.some((one) => isNamed(one, [word])));
  if (unknown !== undefined) return misuse(`Nothing is agreed to that is called ${JSON.stringify(unknown)}.`);
  const forgotten = await trust.forget(isAll ? "all" : words);
  if (!forgotten.ok) return { ...forgotten, isMisuse: false };
  return {
    ok: true,
    value: { workspace, forgotten: forgotten.value },
    lines: forgottenLines(forgotten.value),
  };
}
