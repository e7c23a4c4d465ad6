/** Escape probes through the overlay itself: its directories, its mount, and the files below it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isThere, write } from "./sandbox-place.ts";
import { all, attempt, inWorkspace, type Probe, writing } from "./sandbox-probe.ts";

const mine = (state: string): string => `${state}/sandbox/runs/*/layer-*`;

export const overlays: readonly Probe[] = [
  {
    title: "the layer's directories, by path",
    profiles: all,
    script: ({ stateDir }) =>
      `echo made > made; for d in ${mine(stateDir)} ${mine(stateDir)}/upper ${mine(stateDir)}/merged; do ls $d >/dev/null 2>&1 && echo ESCAPED $d; echo x > $d/x 2>/dev/null && echo ESCAPED $d; done; ls -R ${stateDir} 2>/dev/null | grep -E 'upper|merged|layer-' && echo ESCAPED`,
  },
  {
    title: "the layer's directories, found through /proc/self/mountinfo",
    profiles: all,
    script: () =>
      `for d in $(awk '/overlay/ { print $5 }' /proc/self/mountinfo | grep layer-); do echo x > $d/x 2>/dev/null && echo ESCAPED $d; ls $d >/dev/null 2>&1 && echo ESCAPED $d; ls $d/../upper >/dev/null 2>&1 && echo ESCAPED $d; cd $d 2>/dev/null && echo ESCAPED $d; done; ls lower upper work 2>/dev/null && echo ESCAPED`,
  },
  {
    title: "unmounting or remounting the layer",
    profiles: all,
    script: ({ workspace }) =>
      `umount ${workspace} && echo ESCAPED; umount -l ${workspace} && echo ESCAPED; mount -o remount,ro ${workspace} && echo ESCAPED; mount -t overlay overlay -o lowerdir=/etc,upperdir=/tmp,workdir=/tmp ${workspace} && echo ESCAPED; mount --move ${workspace} /mnt && echo ESCAPED; unshare -Urm mount -t overlay overlay -o userxattr,lowerdir=/etc:/usr ${workspace} && echo ESCAPED`,
  },
  {
    title: "setting overlayfs redirect attributes",
    profiles: writing,
    script: () =>
      `perl -e 'my ($n, $d, $v) = (${process.arch === "arm64" ? 5 : 188}, "d", "/etc"); mkdir $d; for my $k ("user.overlay.redirect", "trusted.overlay.redirect") { my $r = syscall($n, $d, $k, $v, 4, 0); $r == 0 && $k =~ /trusted/ and print "ESCAPED\\n" }'; cat d/passwd 2>/dev/null && echo ESCAPED; true`,
  },
  {
    title: "writing to or moving an existing repository through the layer",
    profiles: ["build", "install"],
    script: () =>
      `echo x > .git/probe && echo ESCAPED; ln .git/HEAD h && echo ESCAPED; ${attempt("mv .git g")}; ${attempt("rm -rf .git/refs")}; ${attempt("rmdir .git")}; cp -a .git copy; rm -rf copy; true`,
    escaped: (place) => inWorkspace(".git/probe")(place) || !isThere(join(place.workspace, ".git/HEAD")),
  },
  {
    title: "replacing a protected directory by moving its parent",
    profiles: writing,
    prepare: ({ workspace }) => write(workspace, "app/.vscode/tasks.json", "ours\n"),
    script: () =>
      'mv app other; rm -rf app; mkdir -p app/.vscode; echo theirs > app/.vscode/tasks.json; perl -e \'rename "app", "third"\'; mkdir -p app/.vscode; echo theirs > app/.vscode/tasks.json; true',
    escaped: ({ workspace }) =>
      ["app", "other", "third"].some((directory) => {
        const path = join(workspace, directory, ".vscode/tasks.json");
        return isThere(path) && readFileSync(path, "utf8") !== "ours\n";
      }),
  },
  {
    title: "writing outside through a link in place of a directory",
    profiles: ["build", "install"],
    prepare: ({ workspace, outside }) => {
      write(workspace, "node_modules/x/index.js", "ours\n");
      write(outside, "kept", "ours\n");
    },
    script: ({ outside }) =>
      `rm -rf node_modules; ln -s ${outside} node_modules; mkdir sub; ln -s ${outside} sub/way; for i in $(seq 300); do echo x > node_modules/$i; done 2>/dev/null; true`,
    escaped: ({ outside }) =>
      isThere(join(outside, "1")) || readFileSync(join(outside, "kept"), "utf8") !== "ours\n",
  },
  {
    title: "a .git file that leads elsewhere through a link",
    profiles: ["build"],
    script: () =>
      "mkdir -p node_modules/x/in sub; git init -q --bare node_modules/.git; printf '[core]\\n\\tfsmonitor = evil\\n' >> node_modules/.git/config; ln -s ../node_modules/x/in sub/a; echo 'gitdir: a/../../.git' > sub/.git",
    escaped: inWorkspace("sub/.git"),
  },
  {
    title: "reading a workspace secret by moving its directory",
    profiles: writing,
    prepare: ({ workspace }) => write(workspace, "deep/.env", "KEY=canary\n"),
    script: () =>
      "mv deep other; rm -rf deep; cat deep/.env other/.env 2>/dev/null | grep canary && echo ESCAPED; true",
  },
];
