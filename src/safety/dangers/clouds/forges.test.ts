import { expect, test } from "vitest";
import { literal, noFlows, unknownWord } from "../../command-line/word.ts";
import { around } from "../../testing-around.ts";
import { findProgram } from "../index.ts";
import { effectsOf, told } from "../testing-effects.ts";
import { useOf } from "../use.ts";

const effects = (line: string) => told(effectsOf([], line));

test.each([
  "gh pr list --limit 5",
  "gh pr -R a/b view 12",
  "gh -R a/b pr diff 12",
  "gh issue view 3 --comments",
  "gh run watch 1",
  "gh repo view",
  "gh auth status",
  "gh pr view https://github.com/a/b/pull/12",
  "gh pr list --json title --jq '.[].title'",
  "gh search code x",
  "gh api rate_limit",
  "glab mr list",
  "glab ci status",
  "tea pr list",
])("a read-only command only fetches: %s", (line) => {
  expect(effects(line).every((one) => one.startsWith("fetches"))).toBe(true);
});

const graveness = (line: string) =>
  effectsOf([], line).flatMap((effect) => (effect.type === "danger" ? [effect.severity] : []));

test.each([
  ["gh pr create --fill", "medium"],
  ["gh pr checkout 12", "medium"],
  ["gh pr list --json title --jq env", "high"],
  ["gh pr list --json title -q env.GH_TOKEN", "high"],
  ["gh pr list --json title --jq '$ENV'", "high"],
  ["gh pr create -t x -b y", "medium"],
  ["gh issue comment 5 -b hi", "medium"],
  ["glab mr note 5 -m hi", "medium"],
  ["gh pr merge 12 --squash", "high"],
  ["gh repo create x --public", "high"],
  ["gh repo create x --private", "medium"],
  ["gh repo delete a/b --yes", "critical"],
  ["gh repo edit --visibility public", "high"],
  ["gh issue delete 3", "high"],
  ["gh release create v1 dist/x.tgz", "high"],
  ["gh release delete v1", "high"],
  ["gh gist create a.ts", "high"],
  ["gh workflow run deploy.yml", "high"],
  ["gh secret set NAME", "high"],
  ["gh secret delete NAME", "high"],
  ["gh ssh-key add key.pub", "high"],
  ["gh auth token", "high"],
  ["gh auth status --show-token", "high"],
  ["gh auth login", "high"],
  ["gh extension install a/b", "medium"],
  ["gh somebody-elses-extension x", "high"],
  ["gh ?what", "high"],
  ["gh pr ?what", "high"],
  ["glab variable set X y", "high"],
  ["glab project delete a/b", "critical"],
  ["tea pr create", "medium"],
  ["hub delete a/b", "critical"],
])("publishing and deleting on a forge: %s is %s", (line, severity) => {
  expect(graveness(line)).toEqual([severity]);
});

test.each([
  ["gh api repos/a/b", []],
  ["gh api -X GET search/issues -f q=x", []],
  ["gh api -X DELETE repos/a/b", ["high"]],
  ["gh api --method=delete repos/a/b", ["high"]],
  ["gh api -XPUT repos/a/b/topics", ["medium"]],
  ["gh api repos/a/b/issues -f title=x", ["medium"]],
  ["gh api repos/a/b/keys -f key=x", ["high"]],
  ["gh api -X ?how repos/a/b", ["high"]],
  ["gh api graphql -f query=query_{viewer}", []],
  ["gh api graphql -f query=mutation_{addStar}", ["medium"]],
  ["gh api graphql -f query=mutation_{deleteRef}", ["high"]],
  ["gh api graphql -F query=@q.graphql", ["medium"]],
])("an API request is rated by its method and address: %s", (line, severities) => {
  expect(graveness(line)).toEqual(severities);
});

test.each([
  ["gh pr create -F body.md", "sends pr create -F body.md body.md"],
  ["gh gist create .env", "sends .env"],
  ["gh release upload v1 a.tgz b.tgz", "sends a.tgz b.tgz"],
  ["gh api repos/a/b/issues -F body=@.env", "sends repos/a/b/issues body=@.env .env"],
  ["gh release download v1 -D out", "writes out replaces …"],
  ["gh repo clone a/b", "runs git clone https://github.com/a/b"],
  ["gh repo clone a/b dir -- --depth 1", "runs git clone https://github.com/a/b dir --depth 1"],
  ["gh alias set x !id", "interprets shell id"],
  ["gh alias set -s x id", "interprets shell id"],
  ["gh config set pager ./x", "interprets shell ./x"],
  ["hub push --force", "runs git push --force"],
  ["hub -C x push", "runs git -C x push"],
])("transferred files and configured commands are reported: %s", (line, expected) => {
  expect(effects(line)).toContain(expected);
});

test("a secret in a published text is reported as sent", () => {
  const row = findProgram("gh");
  if (!row) throw new Error("there is no row");
  const words = [literal("issue"), literal("create"), literal("-b"), unknownWord(new Set(["secret"]))];
  const input = { text: undefined, flows: noFlows, isGiven: false };
  const use = useOf(row, { name: "gh", words, variables: [], input, around });
  expect([...row.does(use)].map(({ type }) => type)).toContain("sends");
});
