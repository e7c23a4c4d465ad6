/** What an address in a git command refers to, and the effects of contacting it. */

import { isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { runsByOption } from "../file-effect-makers.ts";

type Address =
  /** The name of a configured remote: `origin`. */
  | { type: "name" }
  | { type: "host"; host: Word }
  | { type: "path"; path: Word }
  /** The transport is a command: `ext::sh -c id`. */
  | { type: "command"; code: Word }
  /** git runs `git-remote-<name>` for it. */
  | { type: "helper"; name: string }
  /** ssh parses the host name as an option: `ssh://-oProxyCommand=id/x`. */
  | { type: "option" }
  | { type: "unknown" };

export function addressOf(word: Word): Address {
  const { text } = word;
  const transport = /^([\w+.-]+)::(.*)$/su.exec(text);
  if (transport) return byTransport(word, transport[1] ?? "", transport[2] ?? "");
  if (/^(?:[\w+]+:\/\/)?(?:[^/@:]*@)?-/u.test(text)) return { type: "option" };
  if (/^file:/iu.test(text))
    return { type: "path", path: withText(word, text.replace(/^file:(?:\/\/)?/iu, "")) };
  if (/^[\w+]+:\/\//u.test(text)) return { type: "host", host: word };
  if (text.startsWith("\0")) return { type: "unknown" };
  if (/^(?:[./~]|[A-Za-z]:[\\/])/u.test(text)) return { type: "path", path: word };
  if (/^[^/]*:/u.test(text)) return { type: "host", host: word };
  if (isUnknown(word) && word.mayBeSeveral) return { type: "unknown" };
  return text.includes("/") ? { type: "path", path: word } : { type: "name" };
}

function byTransport(word: Word, name: string, rest: string): Address {
  if (name === "ext") return { type: "command", code: withText(word, shellOf(rest)) };
  if (/^(?:https?|ftps?|git|ssh|file)$/u.test(name)) return addressOf(withText(word, rest));
  return { type: "helper", name };
}

/** In `ext::` addresses a blank inside a word is written `% `. */
const shellOf = (text: string): string => text.replaceAll("%%", "%").replaceAll("% ", "\\ ");

/** The dangers of contacting this address at all. */
export function wayTo(word: Word): Effect[] {
  const address = addressOf(word);
  switch (address.type) {
    case "command":
      return [danger("high", "its address is a command, which it runs"), interprets("shell", address.code)];
    case "helper":
      return [danger("high", `its address makes git run the program git-remote-${address.name}`)];
    case "option":
      return [danger("high", "its address is an option for ssh, which can run a command")];
    case "name":
    case "host":
    case "path":
    case "unknown":
      return [];
    default:
      return address satisfies never;
  }
}

/** Fetches from this address or, without one, from the configured remote. */
export function fetchesFrom(word: Word | undefined): Effect[] {
  if (!word) return [{ type: "fetches", from: undefined }];
  const address = addressOf(word);
  if (address.type === "path") return [{ type: "reads", path: address.path }];
  return [...wayTo(word), { type: "fetches", from: address.type === "host" ? address.host : undefined }];
}

/**
 * Pushes commits. Unlike a configured remote, an address in the words is a destination that the user has not approved.
 */
export function pushesTo(word: Word | undefined): Effect[] {
  const settled: Effect = { type: "fetches", from: undefined };
  if (!word) return [settled];
  const address = addressOf(word);
  if (address.type === "path") return [{ type: "writes", path: address.path, how: "edits" }];
  if (address.type === "host") return [{ type: "sends", to: address.host }];
  if (address.type === "unknown")
    return [settled, danger("high", "where it sends commits is only known when it runs")];
  return [...wayTo(word), settled];
}

/** The program that git starts at the remote end, which is this machine if the address is a path. */
export const startsServer = (value: Word): Effect[] =>
  /^(?:\/usr\/(?:local\/)?bin\/)?git-[a-z-]+$/u.test(value.text) ? [] : runsByOption("for a server", value);

/** The directory that a clone creates if none is given. */
export function cloneName(address: Word): Word {
  const name = address.text.replace(/(?<![/\\])[/\\]+$/u, "").replace(/\/?\.git$/u, "");
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf(":")) + 1);
  return last === "" || last === "." || last === ".." ? literal(".") : withText(address, last);
}
