/** The list of all sandbox-escape probes, and the secrets that must not be readable inside. */

import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { write } from "./sandbox-place.ts";
import { all, contained, type Probe } from "./sandbox-probe.ts";
import { files, git, places } from "./sandbox-probes-files.ts";
import { kernel, network, processes } from "./sandbox-probes-kernel.ts";
import { overlays } from "./sandbox-probes-layer.ts";

const secretPaths = [
  ".ssh/id_ed25519",
  ".gnupg/private-keys-v1.d/x.key",
  ".aws/credentials",
  ".azure/token.json",
  ".kube/config",
  ".config/gcloud/credentials.db",
  ".config/gh/hosts.yml",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".docker/config.json",
  ".cargo/credentials.toml",
  ".git-credentials",
  ".mozilla/firefox/x/logins.json",
  ".bash_history",
  ".config/google-chrome/Default/Cookies",
  ".local/share/keyrings/login.keyring",
  ".gem/credentials",
  ".password-store/x.gpg",
  ".claude/.credentials.json",
  ".python_history",
  ".config/pip/pip.conf",
  ".gradle/gradle.properties",
  "project/.env",
  "project/.env.local",
  "project/packages/app/.env.production",
  "project/.envrc",
];

const canary = "canary-4711";

const reading: readonly Probe[] = [
  {
    title: "every secret of the home and the workspace",
    profiles: all,
    prepare: ({ home }) => {
      for (const path of secretPaths)
        write(home, path, `user.name=x\n_authToken=${canary}\npassword = ${canary}\n`);
      write(home, "project/.env.example", "KEY=\n");
    },
    script: ({ home }) =>
      `cat ${secretPaths.map((path) => `${home}/${path}`).join(" ")} 2>/dev/null | grep ${canary} && echo ESCAPED; grep -rs ${canary} ${home} && echo ESCAPED; cat .env.example >/dev/null || echo ESCAPED: too much`,
    escaped: ({ home }) =>
      secretPaths.some((path) => !readFileSync(join(home, path), "utf8").includes(canary)),
  },
  {
    title: "a secret directory that is a link to another place",
    profiles: contained,
    prepare: ({ home }) => {
      write(home, "dotfiles/ssh/id_rsa", canary);
      symlinkSync("dotfiles/ssh", join(home, ".ssh"));
    },
    script: ({ home }) =>
      `cat ${home}/.ssh/id_rsa ${home}/dotfiles/ssh/id_rsa | grep -q ${canary} && echo ESCAPED`,
  },
  {
    title: "Toolwright's own state",
    profiles: all,
    prepare: ({ stateDir }) => write(stateDir, "sessions/x.jsonl", canary),
    script: ({ stateDir }) =>
      `cat ${stateDir}/sessions/x.jsonl && echo ESCAPED; echo x > ${stateDir}/sessions/x.jsonl && echo ESCAPED; rm -rf ${stateDir}/* && ls ${stateDir} | grep -q sessions && echo ESCAPED`,
    escaped: ({ stateDir }) => readFileSync(join(stateDir, "sessions/x.jsonl"), "utf8") !== canary,
  },
  {
    title: "the system's password hashes",
    profiles: all,
    script: () => "cat /etc/shadow /etc/gshadow 2>/dev/null | grep -q . && echo ESCAPED",
  },
  {
    title: "a planted library",
    profiles: all,
    prepare: ({ workspace }) => write(workspace, "evil.so", "not a library\n"),
    script: () =>
      "LD_PRELOAD=$PWD/evil.so true; LD_PRELOAD=$PWD/evil.so mount -t tmpfs none /mnt && echo ESCAPED",
  },
  {
    title: "removing the mask over a secret directory",
    profiles: all,
    prepare: ({ home }) => write(home, ".ssh/id", canary),
    script: ({ home }) =>
      `umount ${home}/.ssh; rmdir ${home}/.ssh; mv ${home}/.ssh ${home}/s; cat ${home}/.ssh/id ${home}/s/id 2>/dev/null | grep -q ${canary} && echo ESCAPED`,
  },
];

export const probes: readonly Probe[] = [
  ...files,
  ...overlays,
  ...git,
  ...places,
  ...kernel,
  ...processes,
  ...network,
  ...reading,
];
