/** Functions of `network.yaml`: what keepers of versions other than git do. */

import { type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, interprets, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { movesAway } from "../file-effect-makers.ts";
import type { Use } from "../program.ts";

const versionReading =
  /^(?:status|st|log|diff|di|cat|annotate|blame|ann|praise|id|identify|heads|tip|parents|files|manifest|locate|grep|help|version|paths|showconfig|config|info|list|ls|bookmarks|branches|tags|summary|shortlog|smartlog|sl|root|verify|changes|opened|describe|evolog|show|obslog|op)$/u;

const versionChanging =
  /^(?:add|addremove|ai|amend|backout|bisect|bookmark|branch|bundle|commit|ci|copy|cp|drop|edit|absorb|duplicate|file|forget|graft|import|init|integrate|lock|mark|merge|mkdir|move|mv|new|next|parallelize|patch|phase|prev|propset|ps|pset|propdel|rename|reopen|reconcile|resolve|resolved|shelve|sign|simplify-parents|sparse|split|squash|tag|track|unamend|unbundle|unlock|unshelve|untrack|up|upd|update|changelist|checkout|co|switch|sw|stat|timeline|extras|open|close|merge-base|config|set|settings|workspace|operation|util|bookmarks|metaedit|client|have|where|fstat|filelog|print|diff2|dirs|users|user|login|stash|revno|missing|ignore|ignored|unknowns|nick|bind|unbind|unresolve|cat-file|relocate|propget|proplist|pl|pg|export|git|sync|pull|fetch|clone|push|submit|incoming|in|outgoing|out|serve|archive)$/u;

/** Settings of keepers of versions that name a command or code. */
function versionSetting(key: string, value: Word, severity: "high" | "critical"): Effect[] {
  if (
    !/alias|hook|extension|pager|editor|command|cmd|tool|merge|diff|ssh|pgp|gpg|sign|program|browser/iu.test(
      key,
    )
  )
    return [];
  return [
    danger(severity, "it sets a command or code that it runs"),
    interprets("shell", withText(value, value.text.replace(/^!/u, ""))),
  ];
}

/** Commands that a client of kept versions is given to run. */
function* versionCommands([verb, second, ...rest]: readonly Word[], { words, name }: Use): Iterable<Effect> {
  const option =
    verb?.text === "bisect"
      ? /^(?:-c|--command)$/u
      : /^(?:pull|push|clone|in|out)/u.test(verb?.text ?? "")
        ? /^-e$/u
        : undefined;
  const at = option ? words.findIndex(({ text }) => option.test(text)) : -1;
  const code = at < 0 ? undefined : words[at + 1];
  if (code) yield interprets("shell", code);
  if (name === "jj" && verb?.text === "util" && second?.text === "exec") yield runs(rest);
}

function dropped(words: readonly Word[], verb: string, { name }: Use): readonly Effect[] {
  if (
    name === "svn" &&
    /^(?:rm|remove|delete)$/u.test(verb) &&
    !words.some(({ text }) => text.includes("://"))
  )
    return movesAway(words);
  if (name === "jj") return [danger("medium", "it drops changes which only its own log can bring back")];
  return [danger("high", "it throws away changes or commits")];
}

function* versions(operands: readonly Word[], use: Use): Iterable<Effect> {
  const [verb, second] = operands.map(({ text }) => text);
  if (verb === undefined) return;
  yield* versionCommands(operands, use);
  if (
    /^(?:update|up|upd|upda|updat|checkout|co|switch|merge|graft)$/u.test(verb) &&
    use.has("C", "clean", "force", "discard")
  )
    yield danger("high", "it throws away changes in files that are not committed");
  if (verb === "push" && use.has("f", "force", "overwrite", "new-branch-force"))
    yield danger("high", "it rewrites what others have");
  if (verb === "obliterate") {
    yield danger("critical", "it deletes files with all their history on the server");
    return;
  }
  const [key, value] = operands.slice(verb === "config" ? (second === "set" ? 2 : 1) : 1);
  if (/^(?:set|settings|config)$/u.test(verb) && key && value)
    yield* versionSetting(key.text, value, "critical");
  if (
    use.name.startsWith("svn") &&
    /^(?:import|mkdir|copy|cp|move|mv)$/u.test(verb) &&
    operands.some(({ text }) => text.includes("://"))
  )
    yield {
      type: "sends",
      to: operands.find(({ text }) => text.includes("://")),
      files: operands.slice(1, 2),
    };
  else if (
    /^(?:push|commit|ci|submit)$/u.test(verb) &&
    (verb !== "commit" || use.name === "svn") &&
    (verb !== "ci" || use.name === "svn")
  )
    yield* [{ type: "fetches", from: undefined } as const, danger("medium", "it publishes commits")];
  else if (verb === "git" && second === "push")
    yield* [{ type: "fetches", from: undefined } as const, danger("medium", "it publishes commits")];
  else if (
    /^(?:pull|fetch|clone|update|up|checkout|co|incoming|in|outgoing|sync|export|git|relocate|switch|sw)$/u.test(
      verb,
    ) &&
    (use.name === "svn" || /^(?:pull|fetch|clone|incoming|in|outgoing|sync|git)$/u.test(verb)) &&
    !(verb === "git" && second === "init")
  )
    yield { type: "fetches", from: operands.slice(1).find(({ text }) => text.includes("://")) };
  else if (
    /^(?:revert|strip|purge|rollback|histedit|rebase|abandon|undo|restore|clean|delete|rm|remove|cleanup|shelve|uncommit|obliterate)$/u.test(
      verb,
    )
  )
    yield* dropped(operands.slice(1), verb, use);
  else if (versionChanging.test(verb)) yield danger("none", "it changes the repository");
  else if (!versionReading.test(verb))
    yield danger("high", "it has no such command that is known: it may be an alias or an extension");
}

export const keepers: Readonly<Record<string, WordsDo>> = {
  "kept versions": versions,
  "version settings": (words) =>
    words.flatMap((word) =>
      versionSetting(
        word.text.replace(/=.*$/su, ""),
        withText(word, word.text.replace(/^[^=]*=/su, "")),
        "high",
      ),
    ),
};
