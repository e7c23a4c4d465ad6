/** What contacting an address in a git command does. */

import { literal, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

/** `https://host/x`, `git@host:x`; anything else is a path, or the name of a configured remote. */
export const namesHost = ({ text }: Word): boolean => /^(?:[\w+]+:\/\/|[^/]*:)/u.test(text);

/** A transport that is a program or, for ssh, an option. */
const running = /^(?:(?!(?:https?|ftps?|git|ssh|file)::)[\w+.-]+::|(?:[\w+]+:\/\/)?(?:[^/@:]*@)?-)/u;

/** Fetches from this address or, without one, from the configured remote. */
export function fetchesFrom(address: Word | undefined): Effect[] {
  const fetches: Effect = { type: "fetches", from: address && namesHost(address) ? address : undefined };
  if (!address || !running.test(address.text)) return [fetches];
  // In such addresses a blank inside a word is written `% `.
  const code = withText(address, address.text.replace(/^ext::/u, "").replaceAll("% ", "\\ "));
  return [danger("high", "its address runs a command"), interprets("shell", code), fetches];
}

/** The directory that a clone creates if none is given. */
export function cloneName(address: Word): Word {
  const name = address.text.replace(/(?<![/\\])[/\\]+$/u, "").replace(/\/?\.git$/u, "");
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf(":")) + 1);
  return last === "" || last === "." || last === ".." ? literal(".") : withText(address, last);
}
