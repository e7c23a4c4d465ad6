/** Commands of interactive transfer programs (ftp, lftp, sftp): what they send, fetch and run. */

import { isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { fetched } from "../elsewhere/fetched.ts";
import { nameIn, wordsIn } from "../parts.ts";

export function transferCommands(commands: Word, to: Word | undefined): Effect[] {
  return commands.text
    .split(/[;\n]|&&|\|\|/u)
    .flatMap((line) => [...transferCommand(withText(commands, line.trim()), to)]);
}

const gentle =
  /^(?:|#.*|-|open|user|ls|cls|dir|cd|lcd|lls|lpwd|pwd|cat|more|less|zcat|set|debug|quit|exit|bye|close|binary|ascii|bin|type|passive|prompt|hash|verbose|help|\?|size|find|du|df|nlist|stat|version|progress|status|jobs|wait|connect|site|quote|alias|history|bookmark|cache)$/u;

function* transferCommand(line: Word, to: Word | undefined): Iterable<Effect> {
  const [first, ...rest] = wordsIn(line);
  const verb = first?.text.replace(/^-(?=.)/u, "") ?? "";
  const names = rest.filter(({ text }) => !text.startsWith("-"));
  if (verb.startsWith("!"))
    yield* [
      danger("high", "its commands start a program"),
      interprets("shell", withText(line, line.text.replace(/^-?!/u, ""))),
    ];
  else if (/^(?:put|reput|send|append)$/u.test(verb)) yield* sent(names.slice(0, 1), to);
  else if (
    verb === "mput" ||
    (verb === "mirror" && rest.some(({ text }) => /^(?:-\w*R|--reverse)/u.test(text)))
  )
    yield* sent(names.slice(0, verb === "mput" ? undefined : 1), to);
  else if (/^(?:get|reget|recv|mget|pget|mirror)$/u.test(verb)) yield* kept(verb, names);
  else if (/\|/u.test(line.text) || isUnknown(withText(line, verb)) || !gentle.test(verb))
    yield danger("high", "its commands can remove files and start programs");
}

function* sent(files: readonly Word[], to: Word | undefined): Iterable<Effect> {
  yield* reads(files);
  yield { type: "sends", to, files };
}

function* kept(verb: string, names: readonly Word[]): Iterable<Effect> {
  const named = verb.startsWith("m") ? undefined : names[1];
  const [source] = names;
  const path = named ?? (source && !verb.startsWith("m") ? nameIn(source, ".") : literal("."));
  yield { type: "writes", path, how: "creates", content: fetched };
}
