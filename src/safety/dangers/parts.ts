/** Parts of words: `host:path`, `name=value`, lists of names, addresses. */

import { literal, type Word, withText } from "../command-line/word.ts";

/** The parts before and after the first `sign`, or undefined without one. */
export function cutAt(word: Word, sign: string): { before: Word; after: Word } | undefined {
  const at = word.text.indexOf(sign);
  if (at < 0) return undefined;
  return {
    before: withText(word, word.text.slice(0, at)),
    after: withText(word, word.text.slice(at + sign.length)),
  };
}

/** Splits a command given as a single word: `-e 'sh -c id'`. Quotes in it are left to the shell that runs it. */
export const wordsIn = (word: Word): Word[] =>
  word.text
    .split(/\s+/u)
    .filter((part) => part !== "")
    .map((part) => withText(word, part));

/** Whether a word names this machine: `localhost:3000`, `http://127.0.0.1/x`. */
export const isThisMachine = ({ text }: Word): boolean =>
  /^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1\]|::1)(?=[:/]|$)/iu.test(text);

/** The name under which a download is stored: the last part of its address. */
export function nameIn(address: Word, otherwise: string): Word {
  const path = address.text.replace(/[?#].*$/su, "").replace(/^[a-z0-9+]+:\/\/[^/]*/iu, "");
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isPlain = /^[\w.+@%~-]+$/u.test(name) && !/^\.{1,2}$/u.test(name);
  return literal(isPlain ? name : otherwise);
}

/** The socket of a container engine: access to it amounts to root on this machine. */
export const isEngineSocket = ({ text }: Word): boolean =>
  /(?:^|\/)(?:docker|dockerd|podman|containerd|crio|buildkitd|unix)\.(?:sock|socket)$/u.test(text) ||
  text.endsWith("docker_engine");

export const namesIn = (text: string): string[] => text.match(/\S+/gu) ?? [];

/** Of an option as a row lists it: `n` of `-n=`. */
export const optionName = (option: string): string => option.replace(/^--?/u, "").replace(/=$/u, "");
