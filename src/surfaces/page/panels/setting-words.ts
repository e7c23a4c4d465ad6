/** The modes in plain words, and the models within reach as a list to choose from. */
import type { Mode } from "../../../protocol/facts.ts";
import type { Models } from "../contract.ts";

export const modeChoices: readonly { mode: Mode; name: string; says: string }[] = [
  { mode: "ask", name: "Ask", says: "Reads freely; asks before changes and commands." },
  { mode: "accept-edits", name: "Accept edits", says: "Also changes files without asking." },
  { mode: "plan", name: "Plan", says: "Only reads, and proposes a plan." },
  { mode: "auto", name: "Auto", says: "Also runs contained commands of medium risk; asks about the rest." },
  { mode: "staged", name: "Staged", says: "Shows changes; each is made by its token only." },
  { mode: "deny", name: "Deny", says: "Refuses whatever would need a question." },
];

export const modeName = (mode: Mode): string =>
  modeChoices.find((choice) => choice.mode === mode)?.name ?? mode;

type Choices = { groups: { provider: string; models: string[] }[]; problems: string[] };

/** The session's own model is always among them; a name without its provider gets it. */
export function modelChoices(models: Models | undefined, now: string): Choices {
  const groups = (models?.providers ?? []).flatMap(({ provider, models: named }) =>
    named.length === 0
      ? []
      : [
          {
            provider,
            models: named.map((name) => (name.startsWith(`${provider}/`) ? name : `${provider}/${name}`)),
          },
        ],
  );
  const isListed = now === "" || groups.some((group) => group.models.includes(now));
  const own = isListed ? [] : [{ provider: "In use", models: [now] }];
  const problems = (models?.providers ?? []).flatMap(({ provider, problem }) =>
    problem === undefined ? [] : [`${provider}: ${problem}`],
  );
  return { groups: [...own, ...groups], problems };
}
