/** Keys of providers that people hand over: whose a key is, whether it works, keeping and forgetting it. */

import { kib } from "../../base/bound.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import type { Config } from "../../configuration/config.ts";
import { changeKeptKeys, readKeptKeys } from "../../configuration/kept-keys.ts";
import { didYouMean } from "../../configuration/options/nearest.ts";
import { ModelError } from "../../protocol/model-events.ts";
import type { Provider } from "../../providers/catalog.ts";
import { type ModelChoice, chooseModel, tryServer } from "../../providers/discover.ts";
import { providersWith } from "../../providers/settings.ts";

/** Trial of a key by `toolwright login`, in milliseconds. */
const keyTryOutMs = 20_000;

type CredentialSettings = Pick<Config, "providers" | "stateDir">;

/** A key that was kept. `model`: what is used if only its provider is named. `doubt`: why the trial says little. */
type StoredKey = { provider: Provider; model: string | undefined; doubt: string | undefined };

/** The providers that take a key. */
export const keyTakers = ({ providers }: Pick<CredentialSettings, "providers">): readonly Provider[] =>
  providersWith(providers).filter(({ keyNames, isOwn }) => keyNames.length > 0 || isOwn === true);

/** The provider of this name; the problem says which there are. */
export function keyTaker(name: string, settings: Pick<CredentialSettings, "providers">): Expected<Provider> {
  const takers = keyTakers(settings);
  const found = takers.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found) return { ok: true, value: found };
  const names = takers.map((one) => one.name);
  const hint = didYouMean(name, names);
  return refuse(`No provider ${JSON.stringify(name)} takes a key${hint}: ${names.join(", ")} do.`);
}

/** Whose key it is by its form, if only one provider's keys look like that. */
export const providerOfKey = (
  key: string,
  settings: Pick<CredentialSettings, "providers">,
): Provider | undefined => keyTakers(settings).find(({ keyForm }) => keyForm?.test(key));

/** The key as it is meant; the problem says what is odd about it, and never shows it. */
export function readKey(text: string): Expected<string> {
  const key = text.trim();
  const problem = keyProblem(key);
  return problem === undefined ? { ok: true, value: key } : refuse(problem);
}

function keyProblem(key: string): string | undefined {
  if (key === "") return "There is no key in that: copy it from the provider's site, and paste it.";
  if (/[^\u0021-\u007e]/u.test(key))
    return "That is no key, because it holds spaces or special characters: paste the key alone.";
  if (key.length < shortestKey)
    return `That is too short for a key: it has fewer than ${shortestKey} characters.`;
  return key.length > longestKey ? "That is too long for a key: paste the key alone." : undefined;
}

/** A shorter value would not be kept out of sessions and logs. */
const shortestKey = 8;
/** A key handed to `toolwright login`, in characters. */
const longestKey = 4 * kib;

/** Asks the provider for its models with this key, and keeps the key unless it is refused or nobody answered. */
export async function logIn(
  provider: Provider,
  key: string,
  { settings, env }: { settings: CredentialSettings; env: EnvironmentVariables },
): Promise<Expected<StoredKey>> {
  const kept = readKeptKeys(settings.stateDir);
  if (!kept.ok) return kept;
  const own = { [provider.name.toLowerCase()]: key };
  const providers = providersWith(settings.providers, { ...kept.value, ...own });
  const chosen = await chooseModel({ named: provider.name, providers, env });
  if (!chosen.ok) return refuse(chosen.message);
  const { choice } = chosen;
  const tried = await tryKey({ ...choice, server: { ...choice.server, key, keyFrom: "this key" } });
  if (!tried.ok) return tried;
  const written = await changeKeptKeys(settings.stateDir, (keys) => ({ ...keys, ...own }));
  if (!written.ok) return written;
  return { ok: true, value: { provider, model: choice.model, doubt: tried.value } };
}

async function tryKey({ provider, server }: ModelChoice): Promise<Expected<string | undefined>> {
  try {
    await tryServer(provider, server, { withinMs: keyTryOutMs });
    return { ok: true, value: undefined };
  } catch (error) {
    return keyVerdict(error, provider);
  }
}

/** A busy server, or one without a list of models, has not refused the key. */
function keyVerdict(error: unknown, { title }: Provider): Expected<string | undefined> {
  if (!(error instanceof ModelError)) throw error;
  if (error.kind === "auth")
    return refuse(
      `${title} refuses this key (${withoutStop(error.message)}): it is not kept. Copy it again, or make a new one there.`,
    );
  if (!unheard.has(error.kind)) return { ok: true, value: error.message };
  return refuse(
    `${title} could not be asked about this key (${withoutStop(error.message)}): it is not kept. Check the network and the base URL, and try again.`,
  );
}

const withoutStop = (sentence: string): string => sentence.replace(/\.$/u, "");

/** The kinds of failure in which the provider itself has said nothing. */
const unheard: ReadonlySet<ModelError["kind"]> = new Set(["network", "timeout", "malformed"]);

/** Removes a kept key; false if there was none. */
export async function logOut(name: string, stateDir: string): Promise<Expected<boolean>> {
  const whose = name.toLowerCase();
  const before = await changeKeptKeys(stateDir, (keys) =>
    Object.fromEntries(Object.entries(keys).filter(([other]) => other !== whose)),
  );
  return before.ok ? { ok: true, value: Object.hasOwn(before.value, whose) } : before;
}
