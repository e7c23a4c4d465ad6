/** Escape probes through files: beside the workspace, through git, through files that editors and agents run later. */

import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { isThere, write } from "./sandbox-place.ts";
import {
  attempt,
  all,
  changed,
  changedIfThere,
  contained,
  inWorkspace,
  type Probe,
  writing,
} from "./sandbox-probe.ts";

export const files: readonly Probe[] = [
  {
    title: "writing to the home",
    profiles: contained,
    script: ({ home }) => `echo x > ${home}/.bashrc && echo ESCAPED`,
    escaped: ({ home }) => existsSync(join(home, ".bashrc")),
  },
  {
    title: "writing to a directory beside the workspace",
    profiles: contained,
    script: ({ outside }) => `mkdir -p ${outside}; echo x > ${outside}/x`,
    escaped: ({ outside }) => existsSync(join(outside, "x")),
  },
  {
    title: "writing to system directories",
    profiles: contained,
    script: () =>
      "for d in /etc /usr/bin /var/lib /opt /root /; do echo x > $d/probe-x && echo ESCAPED; done",
  },
  {
    title: "writing to the workspace in the read profile",
    profiles: ["read"],
    script: () =>
      "echo x > a.txt && echo ESCAPED; touch new && echo ESCAPED; rm -f a.txt; chmod 777 a.txt && echo ESCAPED",
    escaped: changed("a.txt", "first\n"),
  },
  {
    title: "a symbolic link in the workspace that leads out",
    profiles: writing,
    script: ({ home }) =>
      `ln -s ${home} way; echo x > way/.profile && echo ESCAPED; ln -s /etc way2; echo x > way2/x && echo ESCAPED`,
    escaped: ({ home }) => existsSync(join(home, ".profile")),
  },
  {
    title: "a hard link to a file outside",
    profiles: writing,
    script: ({ home }) =>
      `ln ${home}/.gitconfig hard && echo ESCAPED; ln .git/HEAD head && echo x > head && echo ESCAPED`,
  },
  {
    title: "the host's root through /proc",
    profiles: contained,
    script: ({ home }) =>
      `for p in 1 self $$; do echo x > /proc/$p/root${home}/.zshrc && echo ESCAPED; echo x > /proc/$p/cwd/../.zshrc && echo ESCAPED; done; ls /proc/1/root/oldroot 2>/dev/null | grep -q . && echo ESCAPED`,
    escaped: ({ home }) => existsSync(join(home, ".zshrc")),
  },
  {
    title: "inherited file descriptors",
    profiles: all,
    script: () =>
      `for f in /proc/self/fd/*; do t=$(readlink $f); case "$t" in /dev/null|pipe:*|socket:*|/proc/*) ;; "") ;; *) echo ESCAPED $f $t;; esac; done`,
  },
];

const gitConfig = "[core]\\n\\tfsmonitor = touch /tmp/fsmonitor-ran\\n";

export const git: readonly Probe[] = [
  {
    title: "a hook written into .git",
    profiles: writing,
    script: () => "mkdir -p .git/hooks; echo x > .git/hooks/pre-commit && echo ESCAPED",
    escaped: inWorkspace(".git/hooks/pre-commit"),
  },
  {
    title: "settings written into .git",
    profiles: writing,
    script: () =>
      `printf '${gitConfig}' >> .git/config && echo ESCAPED; cp .git/config c; printf '${gitConfig}' >> c; mv -f c .git/config && echo ESCAPED`,
  },
  {
    title: "SAFETY 2.3: .git renamed and recreated",
    profiles: writing,
    script: () => attempt("mv .git .g; mkdir -p .git/hooks; echo x > .git/hooks/p"),
    escaped: inWorkspace(".git/hooks/p"),
  },
  {
    title: ".git/hooks renamed and recreated",
    profiles: writing,
    script: () => attempt("mv .git/hooks .git/h; mkdir .git/hooks; echo x > .git/hooks/p"),
    escaped: inWorkspace(".git/hooks/p"),
  },
  {
    title: "SAFETY 2.4: .git/commondir",
    profiles: writing,
    script: () => `mkdir -p elsewhere; echo ../elsewhere > .git/commondir`,
    escaped: inWorkspace(".git/commondir"),
  },
  {
    title: "SAFETY 2.4: .git/config.worktree",
    profiles: writing,
    script: () => `printf '${gitConfig}' > .git/config.worktree`,
    escaped: inWorkspace(".git/config.worktree"),
  },
  {
    title: "SAFETY 2.4: the settings of a submodule",
    profiles: writing,
    prepare: ({ workspace }) => write(workspace, ".git/modules/sub/config", "[core]\n\tbare = false\n"),
    script: () =>
      `printf '${gitConfig}' > .git/modules/sub/config && echo ESCAPED; mkdir -p .git/modules/new; printf '${gitConfig}' > .git/modules/new/config`,
    escaped: (place) =>
      inWorkspace(".git/modules/new/config")(place) ||
      changed(".git/modules/sub/config", "[core]\n\tbare = false\n")(place),
  },
  {
    title: "SAFETY 2.4: a worktree that leads to another repository",
    profiles: writing,
    script: () =>
      `mkdir -p evil .git/worktrees/w; printf '${gitConfig}' > evil/config; echo ../../../evil > .git/worktrees/w/commondir; echo x > .git/worktrees/w/gitdir; printf '${gitConfig}' > .git/worktrees/w/config.worktree`,
    escaped: (place) =>
      inWorkspace(".git/worktrees/w/commondir")(place) ||
      inWorkspace(".git/worktrees/w/config.worktree")(place),
  },
  {
    title: "attributes and filters in .git/info",
    profiles: writing,
    script: () => "mkdir -p .git/info; echo '* filter=x' > .git/info/attributes",
    escaped: inWorkspace(".git/info/attributes"),
  },
  {
    title: "an embedded repository without a working tree",
    profiles: writing,
    script: () =>
      `mkdir -p lib/objects lib/refs; echo 'ref: refs/heads/x' > lib/HEAD; printf '${gitConfig}' > lib/config`,
    escaped: inWorkspace("lib/config"),
  },
  {
    title: "a new repository in a subdirectory, with settings that run a program",
    profiles: writing,
    script: () => `git init -q sub; printf '${gitConfig}' >> sub/.git/config`,
    escaped: inWorkspace("sub/.git/config"),
  },
  {
    title: "a .git file that leads to settings in a skipped directory",
    profiles: writing,
    script: () =>
      `mkdir -p node_modules/x sub; git init -q --bare node_modules/x; printf '${gitConfig}' >> node_modules/x/config; echo 'gitdir: ../node_modules/x' > sub/.git`,
    escaped: inWorkspace("sub/.git"),
  },
  {
    title: "a protected directory moved away with its parent",
    profiles: writing,
    prepare: ({ workspace }) => write(workspace, "app/.husky/pre-commit", "ours\n"),
    script: () => "mv app other; mkdir -p app/.husky; echo theirs > app/.husky/pre-commit",
    escaped: changedIfThere("app/.husky/pre-commit", "ours\n"),
  },
  {
    title: "git config used to set a hook path",
    profiles: ["build", "git", "install"],
    script: () =>
      "git config core.hooksPath ./evil && echo ESCAPED; git config --worktree core.hooksPath ./evil && echo ESCAPED; git -c core.hooksPath=x config core.editor evil && echo ESCAPED; git config --global core.editor evil && echo ESCAPED",
    escaped: ({ workspace }) => readFileSync(join(workspace, ".git/config"), "utf8").includes("evil"),
  },
  {
    title: "hooks that git copies from a template",
    profiles: writing,
    script: () =>
      "mkdir -p t/hooks; echo x > t/hooks/post-checkout; chmod +x t/hooks/post-checkout; git init -q --template=t; git init -q --template=t sub",
    escaped: (place) =>
      inWorkspace(".git/hooks/post-checkout")(place) || inWorkspace("sub/.git/hooks/post-checkout")(place),
  },
  {
    title: "a planted hook that git is configured to run",
    profiles: ["git"],
    prepare: ({ workspace, home }) =>
      write(
        workspace,
        "hooks/post-checkout",
        `#!/bin/sh\necho ran\nfor f in .git/hooks/x .git/config .git/info/attributes ${home}/.profile; do echo x >> $f && echo ESCAPED; done\necho x > .git/commondir\n`,
      ),
    script: () => "chmod +x hooks/post-checkout; git -c core.hooksPath=hooks checkout -q -b other",
    escaped: inWorkspace(".git/commondir"),
  },
];

const protectedNames = [
  ".mcp.json",
  ".vscode/tasks.json",
  ".toolwright/config.json",
  ".claude/settings.json",
];
const moreNames = [
  ".cursor/mcp.json",
  ".husky/pre-push",
  ".idea/x.xml",
  "sub/.vscode/tasks.json",
  ".MCP.json",
  "x.code-workspace",
];

export const places: readonly Probe[] = [
  ...[...protectedNames, ...moreNames].map((path): Probe => ({
    title: `${path}, which was not there`,
    profiles: ["build"],
    script: () => `mkdir -p $(dirname ${path}); echo x > ${path}`,
    escaped: inWorkspace(path),
  })),
  ...protectedNames.map((path): Probe => ({
    title: `${path}, which was there`,
    profiles: writing,
    prepare: ({ workspace }) => write(workspace, path, "ours\n"),
    script: () =>
      `echo x > ${path} && echo ESCAPED; rm -f ${path} && echo ESCAPED; mv ${path.split("/")[0]} away && echo ESCAPED; ln -sf /etc/passwd ${path} && echo ESCAPED`,
    escaped: changed(path, "ours\n"),
  })),
  {
    title: "a protected symbolic link, redirected elsewhere",
    profiles: ["build"],
    prepare: ({ workspace }) => {
      write(workspace, "shared/settings.json", "ours\n");
      symlinkSync("shared", join(workspace, ".claude"));
    },
    script: () =>
      "echo x > .claude/settings.json && echo ESCAPED; rm .claude; mkdir .claude; echo x > .claude/settings.json",
    escaped: changed(".claude/settings.json", "ours\n"),
  },
  {
    title: "a protected name planted as a link, and its target",
    profiles: ["build"],
    script: ({ home }) => `ln -s ${home}/.gitconfig .mcp.json; ln -s ${home} .vscode`,
    escaped: (place) =>
      isThere(join(place.workspace, ".mcp.json")) ||
      isThere(join(place.workspace, ".vscode")) ||
      !readFileSync(join(place.home, ".gitconfig"), "utf8").includes("A Person"),
  },
];
