/** Package managers of whole systems that are told by options, and Nix. */

import { literal, type Word, withText } from "../../command-line/word.ts";
import { danger, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import type { Use } from "../program.ts";
import { installing, packagesIn, removing, runsLocal, runsPackage, trustsSource } from "./installing.ts";

export function* byOption(operands: readonly Word[], use: Use): Iterable<Effect> {
  const { has, name } = use;
  if (name === "dpkg-deb") {
    if (has("x", "X", "e", "extract", "R"))
      yield* operands.slice(1).map((path): Effect => ({ type: "writes", path, how: "creates" }));
    if (has("b", "build")) yield* replaces(operands.slice(1));
    return;
  }
  const isArch = /^(?:pacman|yay|paru)$/u.test(name);
  if (
    isArch
      ? has("Q", "query", "F", "files", "T")
      : has("q", "query", "V", "verify", "K", "checksig", "l", "L", "s", "S", "search", "status", "list")
  )
    return;
  const asks = isArch && has("S", "sync") && has("s", "i", "l", "g", "search", "info", "list");
  if (has("r", "R", "remove", "e", "erase", "P", "purge") && !(isArch && has("S"))) yield* removing;
  else if (
    !asks &&
    (has("i", "U", "F", "S", "D", "install", "upgrade", "sync", "freshen", "unpack", "configure") ||
      (name === "yay" && !has("h")))
  )
    yield* [...installing, ...packagesIn(isArch && !has("U") ? [] : operands)];
  if (has("add-architecture", "set-selections", "force-all"))
    yield danger("high", "it changes which packages this machine takes");
}

export function* nix(operands: readonly Word[], { name, words, has }: Use): Iterable<Effect> {
  const [verb, ...rest] = operands;
  const text = verb?.text ?? "";
  for (const [, path = ""] of words.flatMap((word) => [
    ...word.text.matchAll(/\bread(?:File|Dir)\s+"?([^\s";)]+)/gu),
  ]))
    yield* reads([literal(path)]);
  if (/rebuild$|^home-manager$/u.test(name))
    yield* /^(?:switch|boot|test|activate)$/u.test(text)
      ? [danger("high", "it changes the whole system")]
      : [];
  else if (name === "nix-collect-garbage" || text === "collect-garbage" || has("delete", "gc", "uninstall"))
    yield* removing;
  else if (name === "nix-prefetch-url") yield { type: "fetches", from: verb };
  else if (name === "nix-env" && !has("q", "query")) yield* installing;
  else if (/^(?:profile|env)$/u.test(text))
    yield* /^(?:install|add|upgrade)$/u.test(rest[0]?.text ?? "")
      ? [...installing, ...packagesIn(rest.slice(1))]
      : /^(?:remove|wipe-history)$/u.test(rest[0]?.text ?? "")
        ? removing
        : [];
  else if (text === "registry" && /^(?:add|pin)$/u.test(rest[0]?.text ?? "")) yield* trustsSource;
  else if (/^(?:run|shell|develop)$/u.test(text)) {
    const at = rest.findIndex((word) => /^(?:-c|--command)$/u.test(word.text));
    const flake = rest.find((word) => !word.text.startsWith("-"));
    if (flake && /[:#]/u.test(flake.text) && !/^(?:\.|path:\.)/u.test(flake.text)) yield* runsPackage;
    if (at >= 0) yield runs(rest.slice(at + 1));
    const end = rest.findIndex((word) => word.text === "--");
    if (at < 0 && text === "run" && flake?.text.includes("#"))
      yield* runsLocal(
        [withText(flake, flake.text.replace(/^.*#/su, "")), ...(end < 0 ? [] : rest.slice(end + 1))],
        ".venv/bin",
      );
  }
}
