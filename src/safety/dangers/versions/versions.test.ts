import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";

const effects = (line: string) =>
  told(effectsOf([], line).filter((effect) => effect.type !== "danger" || effect.severity !== "none"));

const publishes = "danger medium it publishes commits";
const loses = "danger high it throws away changes or commits";
const discards = "danger high it throws away changes in files that are not committed";

test.each([
  "hg status",
  "hg stat",
  "hg commit -m x",
  "hg update main",
  "hg log -r tip",
  "hg --config ui.username=x status",
  "svn status",
  "svn diff -r 1",
  "svn add x",
  "jj st",
  "jj new",
  "jj describe -m x",
  "jj git init",
  "bzr log",
  "fossil timeline",
])("everyday work has no effect: %s", (line) => {
  expect(effects(line)).toEqual([]);
});

test.each([
  ["hg push", ["fetches", publishes]],
  ["hg push -f", ["fetches", publishes, "danger high it rewrites what others have"]],
  ["hg update -C", [discards]],
  ["hg upd --clean", [discards]],
  ["hg revert --all", [loses]],
  ["hg purge", [loses]],
  ["hg strip tip", [loses]],
  ["hg frob", ["danger high it has no such command that is known: it may be an alias or an extension"]],
  ["svn commit -m x", ["fetches", publishes]],
  ["svn rm https://h/x", [loses]],
  ["svn rm a", ["deletes a deep deep"]],
  ["svn revert -R .", [loses]],
  ["svn cleanup --remove-unversioned", [loses]],
  ["jj git push", ["fetches", publishes]],
  ["jj restore", ["danger medium it drops changes which only its own log can bring back"]],
  ["p4 submit", ["fetches", publishes]],
  ["p4 revert ...", [loses]],
  ["p4 obliterate //x", ["danger critical it deletes files with all their history on the server"]],
  ["bzr push --overwrite", ["fetches", publishes, "danger high it rewrites what others have"]],
  ["fossil clean", [loses]],
])("losing, sending and publishing are reported: %s", (line, expected) => {
  expect(effects(line).toSorted()).toEqual(expected.toSorted());
});

test.each([
  ["hg clone --ssh ./x ssh://h/a b", "interprets shell ./x"],
  ["hg pull -e ./x", "interprets shell ./x"],
  ["hg --config hooks.pre-status=./x status", "interprets shell ./x"],
  ["hg --config alias.z=!id z", "interprets shell id"],
  ["hg bisect -c ./x", "interprets shell ./x"],
  ["svn diff --diff-cmd ./x", "interprets shell ./x"],
  ["svn up --config-option config:tunnels:ssh=./x", "interprets shell ./x"],
  ["jj config set --user ui.editor ./x", "interprets shell ./x"],
  ["jj util exec -- id", "runs id"],
])("options and settings that run commands are reported as code: %s", (line, expected) => {
  expect(effects(line)).toContain(expected);
});
