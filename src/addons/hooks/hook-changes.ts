/** Compares a session's hooks before and after a settings change, and words the notice for people. */

import type { Hook } from "./hook.ts";

type HookChanges = {
  /** The current hooks; unchanged ones keep their object identity. */
  hooks: readonly Hook[];
  added: readonly Hook[];
  gone: readonly Hook[];
};

export function changesOf(before: readonly Hook[], now: readonly Hook[]): HookChanges {
  const left = [...before];
  const added: Hook[] = [];
  const hooks = now.map((hook) => {
    const at = left.findIndex((one) => contentOf(one) === contentOf(hook));
    const [same] = at < 0 ? [] : left.splice(at, 1);
    if (!same) added.push(hook);
    return same ?? hook;
  });
  return { hooks, added, gone: left };
}

/** Everything that identifies a hook, for comparison; functions follow from the rest. */
const contentOf = (hook: Hook): string => JSON.stringify(hook);

/** `waits`: added hooks that are not trusted yet. Undefined if nothing was added or removed. */
export function changeWords({ added, gone }: HookChanges, waits: ReadonlySet<Hook>): string | undefined {
  const runs = added.filter((hook) => !waits.has(hook));
  const waiting = added.filter((hook) => waits.has(hook));
  const stays = new Set(added.map(({ name }) => name));
  const left = gone.filter(({ name }) => !stays.has(name));
  const said = [
    ...(runs.length > 0 ? [`from now on ${hookNames(runs)} ${runs.length === 1 ? "runs" : "run"}`] : []),
    ...(left.length > 0 ? [`${hookNames(left)} ${left.length === 1 ? "does" : "do"} not run any more`] : []),
    ...(waiting.length > 0
      ? [
          `${hookNames(waiting)} ${waiting.length === 1 ? "is" : "are"} not used until you agree: look with \`toolwright trust\`, or /trust in a conversation`,
        ]
      : []),
  ];
  return said.length === 0 ? undefined : `The hooks have changed: ${said.join("; ")}.`;
}

const mostNamed = 5;
const longestName = 60;

function hookNames(hooks: readonly Hook[]): string {
  const names = hooks
    .slice(0, mostNamed)
    .map(({ name }) => (name.length > longestName ? `${name.slice(0, longestName).toWellFormed()}…` : name));
  const more = hooks.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}
