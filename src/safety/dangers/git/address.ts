/** What an address in a git command refers to, and the effects of contacting it. */

import { isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

/** A directory of this machine. */
function pathIn(word: Word): Word | undefined {
  const path = word.text.replace(/^file:(?:\/\/)?/iu, "");
  const isPath = path !== word.text || /^(?:[./~]|[A-Za-z]:[\\/]|[^:]*\/[^:]*$)/u.test(path);
  return isPath ? withText(word, path) : undefined;
}

/** `https://host/x`, `git@host:x`; anything else is the name of a configured remote. */
export const namesHost = ({ text }: Word): boolean => /^(?:[\w+]+:\/\/|[^/]*:)/u.test(text);

const isOpen = (word: Word): boolean => isUnknown(word) && (word.mayBeSeveral || word.text.startsWith("\0"));

/** The dangers of contacting this address at all. */
export function wayTo(word: Word): Effect[] {
  const [, transport, rest = ""] = /^([\w+.-]+)::(.*)$/su.exec(word.text) ?? [];
  // In such addresses a blank inside a word is written `% `.
  if (transport === "ext")
    return [
      danger("high", "its address is a command, which it runs"),
      interprets("shell", withText(word, rest.replaceAll("% ", "\\ "))),
    ];
  if (transport !== undefined && !/^(?:https?|ftps?|git|ssh|file)$/u.test(transport))
    return [danger("high", `its address makes git run the program git-remote-${transport}`)];
  return /^(?:[\w+]+:\/\/)?(?:[^/@:]*@)?-/u.test(word.text)
    ? [danger("high", "its address is an option for ssh, which can run a command")]
    : [];
}

/** Fetches from this address or, without one, from the configured remote. */
export function fetchesFrom(word: Word | undefined): Effect[] {
  if (!word) return [{ type: "fetches", from: undefined }];
  const path = namesHost(word) && !/^file:/iu.test(word.text) ? undefined : pathIn(word);
  if (path && !isOpen(word)) return [{ type: "reads", path }];
  return [...wayTo(word), { type: "fetches", from: namesHost(word) ? word : undefined }];
}

/** Unlike a configured remote, an address in the words is a destination that the user has not approved. */
export function pushesTo(word: Word | undefined): Effect[] {
  const [first, ...rest] = fetchesFrom(word);
  if (first?.type === "reads") return [{ type: "writes", path: first.path, how: "edits" }];
  if (!word || !first) return [{ type: "fetches", from: undefined }];
  if (isOpen(word)) return [first, danger("high", "where it sends commits is only known when it runs")];
  return namesHost(word) && rest.length === 0 ? [{ type: "sends", to: word }] : [first, ...rest];
}

/** The directory that a clone creates if none is given. */
export function cloneName(address: Word): Word {
  const name = address.text.replace(/(?<![/\\])[/\\]+$/u, "").replace(/\/?\.git$/u, "");
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf(":")) + 1);
  return last === "" || last === "." || last === ".." ? literal(".") : withText(address, last);
}
