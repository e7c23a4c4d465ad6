/**
 * What programs need from their environment, by their names: secret places, services, and what no sandbox can offer.
 */

import type { CommandPart, Judgement } from "../judgement.ts";

/** Secret places that become visible once a person has approved the command. */
const needs: readonly { readonly programs: RegExp; readonly places: readonly string[] }[] = [
  {
    programs: /^(?:git|ssh|scp|sftp|rsync|mosh|ssh-copy-id|ssh-add|ansible|ansible-playbook|hg|svn)$/u,
    places: [".ssh", ".git-credentials", ".netrc", ".config/git"],
  },
  { programs: /^(?:gh|hub|git)$/u, places: [".config/gh"] },
  { programs: /^(?:npm|npx|pnpm|yarn|bun)$/u, places: [".npmrc", ".yarnrc.yml"] },
  { programs: /^(?:twine|pip|pip3|uv|poetry)$/u, places: [".pypirc", ".netrc"] },
  { programs: /^cargo$/u, places: [".cargo/credentials", ".cargo/credentials.toml"] },
  { programs: /^(?:docker|docker-compose|podman)$/u, places: [".docker"] },
  { programs: /^(?:kubectl|helm|k9s|oc)$/u, places: [".kube"] },
  { programs: /^(?:aws|sam|cdk|serverless|terraform|tofu|pulumi)$/u, places: [".aws", ".terraform.d"] },
  { programs: /^(?:gcloud|gsutil|bq)$/u, places: [".config/gcloud"] },
  { programs: /^az$/u, places: [".azure"] },
  { programs: /^(?:gpg|gpg2)$/u, places: [".gnupg"] },
  { programs: /^psql$/u, places: [".pgpass"] },
];

const composing = /^(?:\S*\/)?(?:docker|podman)(?:-compose|\s(?:.*\s)?compose)(?:\s|$)/u;
const printsWhatItReads = /\s(?:config|convert)(?:\s|$)/u;

/** Relative to the home directory, or with "./" in front to the workspace: compose reads `./.env` by default. */
export function needsOf(parts: readonly CommandPart[]): string[] {
  const names = parts.flatMap(({ argv }) => argv?.[0]?.replace(/^.*\//u, "") ?? []);
  const composes = parts.some(({ words }) => composing.test(words) && !printsWhatItReads.test(words));
  const places = needs
    .filter(({ programs }) => names.some((name) => programs.test(name)))
    .flatMap((row) => row.places);
  return [...new Set([...places, ...(composes ? ["./.env"] : [])])];
}

type PartWords = Pick<CommandPart, "words">;

/** These programs have a service of the machine make the containers. */
const containers = "docker|docker-compose|podman|nerdctl";
const containing = new RegExp(`^(?:\\S*/)?(?:${containers})(?:\\s|$)`, "u");
const serving = new RegExp(`^(?:\\S*/)?(?:${containers}|systemctl|journalctl|loginctl|busctl)(?:\\s|$)`, "u");

export const makesContainers = ({ words }: PartWords): boolean => containing.test(words);

/** Whether it talks to a service over a socket of this machine. */
export const usesLocalService = ({ words }: PartWords): boolean => serving.test(words);

const becomesOther =
  /^(?:\S*\/)?(?:sudo|doas|su|pkexec|runuser|run0|sg(?!\s+(?:-\w|--|run\b|scan\b))|newgrp)(?:\s|$)/u;
const reachesProcesses =
  /^(?:\S*\/)?(?:kill|pkill|killall|skill|fuser|ps|pgrep|pidof|pstree|top|htop|pmap|lsof|ss|netstat|renice)(?:\s|$)|^(?:\S*\/)?(?:strace|ltrace|gdb|perf)\s(?:.*\s)?-p/u;

/** It looks for what it ends: where nothing is to be seen, there is nothing to end. */
const endsWhatMatches = /^(?:\S*\/)?(?:pkill|killall|skill)(?:\s|$)/u;

export const aboutProcesses = "it is about processes outside, which nothing in a sandbox can see";

/** Why the command cannot work in any sandbox. */
export function whyUncontainable(
  parts: readonly CommandPart[],
): Pick<Judgement, "uncontainable" | "endsWhatMatches"> {
  if (parts.some(({ words }) => becomesOther.test(words)))
    return { uncontainable: "it becomes another user, which a sandbox does not allow" };
  const beyond = parts.filter(({ words, isAboutOwn }) => !isAboutOwn && reachesProcesses.test(words));
  if (beyond.length === 0) return {};
  const isSearch = beyond.every(({ words }) => endsWhatMatches.test(words));
  return { uncontainable: aboutProcesses, ...(isSearch ? { endsWhatMatches: true } : {}) };
}
