/** Programs that run virtual machines, and low-level tools for containers. */

import { isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import { danger, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect, Mount } from "../effect.ts";
import { bytesIn, takesDisk } from "../files/sizes.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { after, always, tellByVerb, type Telling, verbTable } from "../verbs.ts";
import { given, mounted, mountedBySettings } from "./mounts.ts";

const starts = always("it starts a machine inside this one", "medium");
const removes = always("it deletes a machine inside this one with its data");

const inside: Telling = ({ operands, words }) => {
  const end = words.findIndex(({ text }) => text === "--");
  const command = end < 0 ? operands.slice(1) : words.slice(end + 1);
  return [
    ...always("it runs a command in a machine inside this one", "medium"),
    ...(command.length > 0 ? [runs(command, { remote: true })] : []),
  ];
};

export const machines: readonly Program[] = [
  program("vagrant", (use) => tellByVerb(use, vagrant), {
    options: { short: "c", long: ["command", "provider", "provision-with"] },
  }),
  program("lxc incus", (use) => tellByVerb(use, lxc), {
    options: { short: "cnpst", long: ["config", "profile", "storage", "network", "target", "type"] },
  }),
  program("lxd", ({ words }) =>
    words.length === 0 ? [] : always("it changes how machines inside this one work"),
  ),
  program("multipass limactl lima tart orbctl", (use) => tellByVerb(use, light), {
    options: { short: "ncmd", long: ["name", "cpus", "memory", "disk", "cloud-init", "workdir"] },
  }),
  program(
    "virsh virt-install virt-manager VBoxManage vboxmanage prlctl vmrun",
    (use) => tellByVerb(use, heavy),
    { options: { short: "c", long: ["connect"] } },
  ),
  program(
    `qemu-system-x86_64 qemu-system-aarch64 qemu-system-arm qemu-system-i386 qemu-system-riscv64
      qemu-kvm kvm`,
    emulates,
    {
      options: {
        oneDash: true,
        long: namesIn(`drive hda hdb cdrom kernel initrd append m smp cpu machine M accel netdev net nic
          device serial monitor display boot bios chardev virtfs fsdev blockdev object pidfile D vga
          name qmp vnc semihosting-config`),
      },
    },
  ),
  program("qemu-img", images, { options: { short: "fOobrs", long: ["object", "output"] } }),
  program("ctr crictl runc crun containerd docker-machine", (use) => tellByVerb(use, lowLevel), {
    options: { short: "na", long: ["namespace", "address", "runtime-endpoint", "config", "mount"] },
  }),
  program("buildah skopeo kaniko img crane regctl oras dive", (use) => tellByVerb(use, imageTools), {
    options: {
      short: "tfv",
      long: namesIn("tag file volume creds src-creds dest-creds authfile platform format isolation"),
    },
  }),
  program("proot", inOtherRoot, {
    options: {
      short: "rRbmqwSki",
      long: ["rootfs", "bind", "mount", "qemu", "pwd", "cwd", "kernel-release", "change-id"],
      stopAtOperand: true,
    },
  }),
  program("systemd-nspawn apptainer singularity distrobox toolbox", contained, {
    options: {
      short: "bDBMu",
      long: ["directory", "bind", "bind-ro", "image", "rootfs"],
      stopAtOperand: true,
    },
  }),
];

/** Where a machine sees the directory with its description. */
const workspaceInside: Mount = { source: literal("."), at: "/vagrant", isReadOnly: false };

const vagrant = verbTable(
  [
    ["status, global-status, version, ssh-config, box list, plugin list, validate, port, snapshot list", []],
    [
      "up, reload, provision, resume, snapshot save, snapshot restore, init, box add, box update, rsync",
      starts,
    ],
    [
      "ssh",
      ({ values }) => [
        ...always("it opens a session in a machine inside this one", "medium"),
        ...values("c", "command").map((code) =>
          runs([literal("sh"), literal("-c"), code], { remote: true, mounts: [workspaceInside] }),
        ),
      ],
    ],
    ["halt, suspend", always("it stops a machine inside this one", "medium")],
    ["plugin install", always("it installs packages, which run code of their own", "medium")],
    ["destroy, box remove, snapshot delete, box prune", removes],
    ["share, cloud, push, login", always("it shows a machine to others")],
  ],
  { otherwise: starts },
);

const lxc = verbTable(
  [
    [
      `list, ls, info, image list, config show, config get, profile list, profile show, network list,
        storage list, version, remote list, snapshot list, query`,
      [],
    ],
    ["launch, init, start, create, restart", startsLxc],
    [
      "stop, pause, snapshot, restore, copy, move, rename, publish, export",
      always("it changes a machine inside this one", "medium"),
    ],
    ["exec, shell", inside],
    ["file push, file pull", always("it copies files into or out of a machine inside this one", "medium")],
    ["config device add, profile device add, config set, profile set, profile edit, config edit", changesLxc],
    ["delete, rm, image delete, storage delete, network delete, profile delete", removes],
  ],
  { otherwise: always("it may change machines inside this one") },
);

const unsafe = /security\.privileged=(?:true|1)|security\.nesting|raw\.lxc/u;

function startsLxc(use: Use): readonly Effect[] {
  return use.values("c", "config").some(({ text }) => unsafe.test(text))
    ? always("it gives the container all rights over this machine", "critical")
    : starts;
}

function* changesLxc(use: Use): Iterable<Effect> {
  yield danger("high", "it changes what a container may reach of this machine");
  const line = use.operands.map(({ text }) => text).join(" ");
  if (unsafe.test(line) || /security\.privileged (?:true|1)/u.test(line))
    yield danger("critical", "it gives the container all rights over this machine");
  for (const word of use.operands)
    if (word.text.startsWith("source="))
      yield* given(withText(word, word.text.slice("source=".length)), {
        isReadOnly: false,
        around: use.around,
      });
}

const light = verbTable(
  [
    ["list, ls, info, version, find, get, networks, aliases, status, validate", []],
    ["launch, start, create, restart, resume, run, clone", starts],
    ["stop, suspend", always("it stops a machine inside this one", "medium")],
    ["exec, shell", inside],
    [
      "mount",
      ({ operands, around }) =>
        operands.slice(0, 1).flatMap((source) => given(source, { isReadOnly: false, around })),
    ],
    ["transfer, copy, cp", always("it copies files into or out of a machine inside this one", "medium")],
    ["delete, purge, rm", removes],
  ],
  { otherwise: starts },
);

const heavy = verbTable(
  [
    [
      `list, dominfo, domstate, dumpxml, net-list, pool-list, vol-list, showvminfo, version, nodeinfo,
        domiflist, domblklist, snapshot-list`,
      [],
    ],
    [
      `destroy, undefine, delete, unregistervm, closemedium, vol-delete, pool-delete, pool-destroy,
        snapshot-delete, net-destroy, deleteVM`,
      removes,
    ],
    ["start, startvm, reboot, resume, shutdown, suspend, stop, controlvm", starts],
    [
      "console, qemu-monitor-command, qemu-agent-command, guestcontrol",
      always("it commands a machine inside this one"),
    ],
  ],
  { otherwise: always("it changes machines inside this one") },
);

const diskOf = (word: Word): Word => {
  const file = /(?:^|,)(?:file|path)=(?<path>[^,]+)/u.exec(word.text)?.groups?.["path"];
  return withText(word, file ?? word.text.replace(/,.*$/su, ""));
};

function* emulates(use: Use): Iterable<Effect> {
  if (use.has("version", "help", "h")) return;
  yield* starts;
  for (const drive of use.values("drive", "hda", "hdb", "blockdev").map(diskOf))
    yield { type: "writes", path: drive, how: "edits" };
  yield* reads(use.values("kernel", "initrd", "cdrom", "bios"));
  yield* replaces(use.values("D", "pidfile"));
  for (const share of use.values("virtfs", "fsdev"))
    yield* given(diskOf(share), { isReadOnly: share.text.includes("readonly"), around: use.around });
  if (use.values("net", "netdev", "nic").some(({ text }) => /script=(?!no)|guestfwd=/u.test(text)))
    yield danger("high", "its option runs a command");
}

function* images(use: Use): Iterable<Effect> {
  const [verb, ...paths] = use.operands;
  const last = paths.at(-1);
  if (/^(?:info|check|map|compare|measure)$/u.test(verb?.text ?? "")) yield* reads(paths);
  else if (use.values("o").some(({ text }) => /preallocation=f/u.test(text)))
    yield* [...replaces(paths.slice(0, 1)), ...takesDisk(bytesIn(last?.text ?? ""))];
  else if (verb?.text === "create" || verb?.text === "resize") yield* replaces(paths.slice(0, 1));
  else if (last) yield* [...reads(paths.slice(0, -1)), ...replaces([last])];
}

const lowLevel = verbTable(
  [
    [
      `ps, images, image ls, images ls, containers ls, container ls, tasks ls, list, ls, state, events,
        inspect, inspecti, inspectp, logs, stats, info, version, pods, env, ip, status, spec,
        content ls, namespaces ls, plugins ls`,
      [],
    ],
    [
      "run, create, container create, containers create, c create",
      startsBelow,
      { long: ["mount", "env", "env-file", "label", "runtime", "cwd", "user", "device", "gpus", "cap-add"] },
    ],
    [
      "start, exec, task exec, tasks exec, task start, ssh, runp",
      always("it runs a container below its engine", "high"),
    ],
    ["pull, image pull, images pull, i pull", always("it fetches an image", "medium")],
    ["push, image push, images push", always("it publishes an image")],
    [
      "rm, rmi, rmp, delete, image rm, images rm, containers rm, container rm, task rm, kill, task kill",
      always("it removes or kills containers"),
    ],
  ],
  { otherwise: always("it may change containers below their engine") },
);

const imageTools = verbTable(
  [
    [
      `images, containers, inspect, list-tags, version, info, manifest, digest, ls, tag ls, config,
        validate, catalog, discover, repo ls, manifest fetch, image inspect`,
      [{ type: "fetches", from: undefined }],
    ],
    [
      `from, bud, build, build-using-dockerfile, run, commit, add, pull, config set, unshare, mount,
        umount, export, flatten, append`,
      buildsImage,
      { short: "tfv", long: ["tag", "file", "volume", "mount", "creds", "isolation", "cap-add", "device"] },
    ],
    ["push, copy, cp, sync, login, logout, tag, mutate, rebase, attach, manifest push", copiesImage],
    ["rm, rmi, delete, prune", always("it removes images")],
  ],
  { otherwise: always("it may build or fetch an image", "medium") },
);

function* startsBelow(use: Use): Iterable<Effect> {
  yield danger("high", "it runs a container below its engine");
  if (use.has("privileged")) yield danger("critical", "it gives the container all rights over this machine");
  for (const settings of use.values("mount")) yield* mountedBySettings(settings, use.around);
}

function* buildsImage(use: Use): Iterable<Effect> {
  yield danger("medium", "it builds an image, which runs code of its own");
  for (const volume of use.values("v", "volume")) yield* mounted(volume, use.around);
  for (const settings of use.values("mount")) yield* mountedBySettings(settings, use.around);
}

/** To a registry it publishes the image; to a directory it only downloads. */
function copiesImage({ operands }: Use): readonly Effect[] {
  const target = operands.at(-1);
  const path =
    target && /^(?:dir|oci|oci-archive|docker-archive):(?<path>[^:]+)/u.exec(target.text)?.groups?.["path"];
  if (!target || path === undefined) return always("it publishes an image");
  return [
    { type: "fetches", from: operands[0] },
    { type: "writes", path: withText(target, path), how: "replaces" },
  ];
}

function* contained(use: Use): Iterable<Effect> {
  const [verb, ...command] = use.operands;
  if (!verb || use.has("help", "version") || /^(?:list|ls|inspect|version|pull|--version)$/u.test(verb.text))
    return;
  for (const bind of use.values("B", "bind", "D", "directory"))
    yield* given(withText(bind, bind.text.replace(/:.*$/su, "")), { isReadOnly: false, around: use.around });
  yield danger(
    /^(?:rm|remove|delete)$/u.test(verb.text) || isUnknown(verb) ? "high" : "medium",
    "it works on a container that sees files of this machine",
  );
  if (/^(?:exec|enter|run|shell)$/u.test(verb.text)) yield* inSharedPlace(after(use, command, sharedOptions));
}

const sharedOptions: OptionForm = {
  stopAtOperand: true,
  short: "BHSWocnr",
  long: namesIn(`bind home scratch workdir overlay env env-file mount network pwd cwd security name
    container release distro additional-flags app`),
};

/** The home directory is shared with the container by default. toolbox takes the container's name as an option. */
function* inSharedPlace(use: Use): Iterable<Effect> {
  for (const bind of use.values("B", "bind"))
    yield* given(withText(bind, bind.text.replace(/:.*$/su, "")), { isReadOnly: false, around: use.around });
  const isNamed = use.name === "toolbox" || use.has("n", "name");
  const command = use.operands.slice(isNamed ? 0 : 1).filter(({ text }, at) => at > 0 || text !== "--");
  if (command.length > 0) yield runs(command);
}

/**
 * The command sees another directory as its root, with directories of this machine mounted in it: usually all of them.
 */
function* inOtherRoot(use: Use): Iterable<Effect> {
  if (use.operands.length === 0) return;
  yield danger("medium", "it runs a command that sees other directories than it is told");
  yield runs(use.operands);
}
