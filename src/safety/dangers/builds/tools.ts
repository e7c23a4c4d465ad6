/** Functions of `builds.yaml`: what build tools do besides running the workspace's own code. */

import { type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { publishes } from "../packages/installing.ts";
import { runsOutside } from "./other-code.ts";
import { tasksThatReachOut } from "./tasks.ts";

const losesData = danger("high", "it deletes data of a database");

const outward =
  /^(?:.*:)?(?:deploy|gh-deploy|deploy-file|site-deploy|publish(?!ToMavenLocal|Local)\w*|unpublish|upload\w*|push|release|release:\w+|login|logout|signin|bintrayUpload|closeAndRelease\w*|.*nexus-staging.*:release|gitPublishPush)$/u;

/** Verbs of the tool itself, not names of the project's tasks. */
const releases: WordsDo = (operands, { has }) =>
  operands.some(({ text }) => outward.test(text)) && !has("dry-run", "n", "snapshot", "local")
    ? publishes
    : [];

/** `manage.py shell -c code`, `manage.py flush`. */
export function* managesDjango([verb, ...rest]: readonly Word[]): Iterable<Effect> {
  if (/^(?:flush|reset_db|reset_schema|clean_database)$/u.test(verb?.text ?? "")) yield losesData;
  if (!/^shell(?:_plus)?$/u.test(verb?.text ?? "")) return;
  const at = rest.findIndex(({ text }) => /^(?:-c|--command)$/u.test(text));
  const inline = rest.find(({ text }) => text.startsWith("--command="));
  const code = at >= 0 ? rest[at + 1] : inline && withText(inline, inline.text.slice("--command=".length));
  yield code ? interprets("python", code) : { type: "interprets-input", language: "python" };
}

/** Tasks and commands that say of themselves that data is lost: `db:drop`, `migrate reset`. */
const losing =
  /^(?:.*:)?(?:drop|drop-all|dropAll|reset|resetdb|purge|fresh|force|force-reset|wipe|truncate_all|rollback.*|revert|undo|down|down-to|downgrade|database-drop|clean-db|db-clean)(?::\w+)*(?:\[.*)?$/u;

export const tools: Readonly<Record<string, WordsDo>> = {
  django: managesDjango,
  released: releases,
  "runs operands": (words) => runsOutside(words),
  tasks: (words, { has }) =>
    has("n", "q", "dry", "dry-run", "just-print", "summary", "show", "s") ? [] : tasksThatReachOut(words),
  "data lost": (words, { has }) =>
    words.slice(0, 3).some(({ text }) => losing.test(text)) || has("force-reset", "accept-data-loss")
      ? [losesData]
      : [],
};
