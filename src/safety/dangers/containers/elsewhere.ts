/** Whose containers a command is about: those of this machine, or of another. */

import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import type { Use } from "../program.ts";

const ownContext = /^(?:default|desktop-linux|colima|orbstack|rootless|rancher-desktop|minikube)$/u;
const tells = danger("high", "it commands the containers of another machine");

/** These effects, and before them that they happen elsewhere. Only to ask by a context's name is harmless. */
export function* happening(use: Use, effects: Iterable<Effect>): Iterable<Effect> {
  const host = use.value("H", "host", "url");
  if (host && !host.text.startsWith("unix:")) yield* [{ type: "fetches", from: host } as const, tells];
  const context = use.value("c", "context", "connection");
  const told = [...effects];
  if (context && !ownContext.test(context.text) && told.length > 0) yield tells;
  yield* told;
}
