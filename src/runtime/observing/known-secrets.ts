/** Collects every secret value this run knows, to keep them out of logs, reports and telemetry. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { attempt } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";
import { type Redact, redactor, secretsInAddress, secretValues } from "../../base/redact.ts";
import type { Config } from "../../configuration/config.ts";
import { readKeptKeys } from "../../configuration/kept-keys.ts";
import { keyVariables } from "../../configuration/key-variables.ts";
import { catalog } from "../../providers/catalog.ts";
import { isSecretSetting } from "../../safety/secret-variables.ts";

/** Also covers secrets created later in known places: the tokens of our own servers. */
export function redactorFor(settings: Config, env: EnvironmentVariables): Redact {
  const fixed = knownSecrets(settings, env);
  let tokens = tokensIn(settings.stateDir);
  let redact = redactor([...fixed, ...tokens]);
  let looked = Date.now();
  return (text) => {
    if (Date.now() - looked > lookAgainMs) {
      looked = Date.now();
      const now = tokensIn(settings.stateDir);
      if (now.join() !== tokens.join()) redact = redactor([...fixed, ...now, ...tokens]);
      tokens = now;
    }
    return redact(text);
  };
}

const lookAgainMs = 1_000;
const tokenFiles = ["gateway-token", "lm-server-token"];
const longestToken = 1_024;

/** And the keys that were handed over. */
function tokensIn(stateDir: string): string[] {
  const kept = readKeptKeys(stateDir);
  const tokens = tokenFiles.flatMap((name) => {
    const path = join(stateDir, name);
    return (
      attempt(() => (statSync(path).size <= longestToken ? [readFileSync(path, "utf8").trim()] : [])) ?? []
    );
  });
  return [...tokens, ...(kept.ok ? Object.values(kept.value) : [])];
}

/**
 * Provider keys, secret-looking variables, and the values of headers, environments, arguments and addresses in the
 * configuration.
 */
export function knownSecrets(
  { providers, addons, database = "" }: Config,
  env: EnvironmentVariables,
): string[] {
  const keys = Object.values(providers).flatMap(({ key, keyVariable, baseUrl, headers = {} }) => [
    key ?? "",
    env[keyVariable ?? ""] ?? "",
    ...Object.values(headers).flatMap((text) => meantBy(text, env)),
    ...secretsInAddress(baseUrl ?? ""),
  ]);
  const given = [...settingsIn(addons.user), ...settingsIn(addons.workspace)];
  const addresses = Object.values(env).flatMap((value = "") => secretsInAddress(value));
  return [
    ...keys,
    ...secretValues(env),
    ...secretsInAddress(database),
    ...addresses,
    ...given.flatMap((text) => meantBy(text, env)),
  ];
}

/**
 * The keys that Toolwright itself uses, as far as they are no placeholders: those of providers, secret headers and
 * variables of providers and tool servers, the tokens of our own servers. Sessions never hold them.
 */
export function configuredKeys(
  { providers, addons, stateDir, database = "" }: Config,
  env: EnvironmentVariables,
): string[] {
  const named = [...catalog.flatMap(({ keyNames }) => keyNames), ...keyVariables({ providers, addons })];
  const keys = Object.values(providers).flatMap(({ key, baseUrl }) => [
    key ?? "",
    ...secretsInAddress(baseUrl ?? ""),
  ]);
  const headers = Object.values(providers).map(({ headers: own }) => own);
  const given = [headers, addons.user, addons.workspace].flatMap((value) => secretMembersIn(value, env));
  const variables = named.map((name) => env[name] ?? "");
  const login = secretsInAddress(database);
  return [...keys, ...login, ...variables, ...given, ...tokensIn(stateDir)].filter(isNoPlaceholder);
}

/** "ollama", "not-needed" and the like are words that sessions must be able to hold. */
const isNoPlaceholder = (value: string): boolean =>
  value.length >= leastSetting && !(value.length < 20 && /^[a-z]+(?:[ _-][a-z]+)*$/iu.test(value));

/** Settings at any depth that are secret by their name and value, with what their variables stand for. */
function secretMembersIn(value: unknown, env: EnvironmentVariables, name = ""): string[] {
  if (typeof value === "string") {
    const meant = value.includes("${") || isSecretSetting(name, value) || isSecretHeader.test(name);
    return meant
      ? meantBy(value, env).filter((text) => !/^[a-z]+\/[\w.+-]+$/iu.test(text))
      : secretsInAddress(value);
  }
  if (Array.isArray(value)) {
    return value.flatMap((one, at) => secretMembersIn(one, env, isSecretFlag(value[at - 1]) ? "token" : ""));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([member, one]) => secretMembersIn(one, env, member));
}

const isSecretHeader = /authorization|cookie|(?:^|-)(?:key|token|secret|auth)$/iu;

/** All texts below `headers` and `env` at any depth, and the secrets in addresses and arguments. */
function settingsIn(value: unknown, isSecret = false): string[] {
  if (typeof value === "string") return isSecret ? [value] : secretsInAddress(value);
  if (Array.isArray(value)) {
    const behind = value.filter((one, at) => typeof one === "string" && isSecretFlag(value[at - 1]));
    return [...behind, ...value.flatMap((one) => settingsIn(one, isSecret))];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => settingsIn(one, isSecret || secretMembers.has(name)));
}

const secretMembers: ReadonlySet<string> = new Set(["headers", "env", "clientSecret"]);

/** `--token VALUE`; the form with "=" is recognised by its look. */
const isSecretFlag = (before: unknown): boolean =>
  typeof before === "string" && /^--?[\w-]*(?:token|key|secret|passw|credential|auth)[\w-]*$/iu.test(before);

/** For "Bearer ${TOKEN}": the whole text, the part after its first word, and the values of its variables. */
function meantBy(text: string, env: EnvironmentVariables): string[] {
  const variables = [...text.matchAll(/\$\{(\w+)(?::-([^}]*))?\}/gu)];
  const values = variables.flatMap(([, name = "", otherwise = ""]) => [env[name] ?? "", otherwise]);
  const literal = text.replaceAll(/\$\{[^}]*\}/gu, "");
  if (literal !== text) return values.filter((value) => value !== "");
  const [, behind = ""] = /^\S+\s+(.+)$/u.exec(text) ?? [];
  return [text, behind].filter((value) => value.length >= leastSetting);
}

/** Harmless values such as "application/json" are longer too, but redacting them from a log does no harm. */
const leastSetting = 8;
