/** Secret places that programs need to do their work, once a person has approved it. */
import type { CommandPart } from "../judgement.ts";

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

/** Relative to the home directory; with "./" in front, to the workspace: what compose reads without being told. */
export function needsOf(parts: readonly CommandPart[]): string[] {
  const names = parts.flatMap(({ argv }) => argv?.[0]?.replace(/^.*\//u, "") ?? []);
  const composes = parts.some(({ words }) => composing.test(words));
  const places = needs
    .filter(({ programs }) => names.some((name) => programs.test(name)))
    .flatMap((row) => row.places);
  return [...new Set([...places, ...(composes ? ["./.env"] : [])])];
}
