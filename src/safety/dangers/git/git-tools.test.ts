import { expect, test } from "vitest";
import { effectsOf, told } from "../testing-effects.ts";

const effects = (line: string) => told(effectsOf([], line));

test.each([
  ["git-lfs ls-files", []],
  ["git-lfs pull", ["fetches"]],
  ["git-lfs push origin main", ["fetches", "danger medium it publishes commits"]],
  ["git-lfs migrate info", []],
  ["git-lfs migrate import", ["danger high it rewrites the history of the repository"]],
  ["git-filter-repo --path x", ["danger high it rewrites the history of the repository"]],
  ["git-filter-repo --analyze", []],
  [
    "git-filter-repo --blob-callback import_os",
    ["interprets python import os", "danger high it rewrites the history of the repository"],
  ],
  ["bfg --delete-files x", ["danger high it rewrites the history of the repository"]],
  ["gitleaks detect -r out.json", ["writes out.json replaces"]],
  ["pre-commit run --all-files", ["danger none it does more than read"]],
  ["pre-commit install", ["danger high it installs hooks which run by themselves from now on"]],
  ["husky init", ["danger high it installs hooks which run by themselves from now on"]],
  [
    "pre-commit try-repo https://h/x",
    ["fetches https://h/x", "danger high it runs hooks of another repository"],
  ],
  ["lint-staged", []],
  ["repo forall -c id", ["interprets shell id"]],
  ["git-town sync", ["fetches", "danger medium it publishes commits"]],
])("git companion tools are rated by what they change: %s", (line, expected) => {
  expect(effects(line).toSorted()).toEqual(expected.toSorted());
});
