/** Programs that shut the machine down, change its disks, or change its kernel. */

import { literal } from "../../command-line/word.ts";
import { danger, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { type Program, program, type Use } from "../program.ts";
import { changes, onlyWithOption, shows, unlessOption, unlessVerb } from "./administering.ts";

const power = [danger("critical", "it turns the machine off or starts it anew")];
const erases = [danger("critical", "it destroys what is on a disk")];
const changesDisks = [danger("critical", "it changes how disks are divided or used")];
const mounts = [danger("high", "it changes which disks are in use")];
const changesKernel = [danger("critical", "it changes the kernel while it runs")];
const boots = [danger("critical", "it changes how the machine starts")];

const disks: readonly Program[] = [
  changes(
    `mkfs mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.msdos
      mkfs.ntfs mkfs.exfat`,
    formatted,
    { short: "tbCEgGiIJLmMNoOrTUFdKlnpqs" },
  ),
  changes(
    "mkfs.f2fs mkfs.minix mkfs.jfs mkfs.reiserfs mkfs.bfs mkfs.udf mkntfs mkdosfs newfs growfs mkexfatfs",
    formatted,
  ),
  changes("mkswap blkdiscard sg_format sg_sanitize nwipe hdderase partclone", erases),
  unlessOption("fdisk cfdisk gdisk", "l list x s", changesDisks, { short: "bcCHSut" }),
  unlessOption("sfdisk", "l list d dump J json s show-size F list-free V verify", changesDisks),
  unlessOption("sgdisk", "p print i info v verify L list-types", changesDisks),
  program("parted", parted, { options: { short: "a", stopAtOperand: true } }),
  program(
    "wipefs",
    ({ has, operands }) => (has("a", "all", "o", "offset") && operands.length > 0 ? erases : []),
    {
      options: { short: "opt" },
    },
  ),
  changes("partprobe partx kpartx addpart delpart resizepart multipath", changesDisks),
  program("swapon swapoff zramctl", ({ operands, has }) =>
    operands.length > 0 || has("a", "all") ? mounts : [],
  ),
  program("mount", mounted, {
    options: { short: "toOLUN", long: ["types", "options", "bind", "move", "source", "target"] },
  }),
  changes("umount fusermount fusermount3 eject udisksctl udiskie-umount pmount pumount", mounts),
  unlessOption("losetup", "a all l list j associated", mounts),
  unlessVerb(
    "cryptsetup veritysetup integritysetup",
    "status luksDump luksUUID isLuks benchmark",
    cryptsetup,
  ),
  shows("lvs vgs pvs lvdisplay vgdisplay pvdisplay lvscan vgscan pvscan lvmdiskscan"),
  changes(
    "lvcreate lvremove lvreduce lvextend lvresize lvchange lvconvert lvrename vgcreate vgremove vgreduce",
    changesDisks,
  ),
  changes(
    "vgextend vgchange vgrename vgimport vgexport pvcreate pvremove pvmove pvresize pvchange",
    changesDisks,
  ),
  unlessVerb("lvm", "lvs vgs pvs lvdisplay vgdisplay pvdisplay version help fullreport", changesDisks),
  unlessVerb("dmsetup", "ls info table status deps version targets", changesDisks),
  unlessOption("mdadm", "D detail E examine Q query detail-platform V", changesDisks),
  unlessVerb("zfs", "list get diff version holds userspace groupspace send", pools),
  unlessVerb("zpool", "list status get iostat history events version", pools),
  program("btrfs", copyOnWrite, { verbs: 2 }),
  onlyWithOption(
    "hdparm sdparm",
    `secure-erase security-erase security-erase-enhanced trim-sector-ranges y Y S W s f set command
      make-bad-sector write-sector repair-sector user-master`,
    erases,
  ),
  program("badblocks", ({ has }) => (has("w", "n") ? erases : []), { options: { short: "bcoptdei" } }),
  program(
    "debugfs",
    ({ has }) => [danger(has("w") ? "critical" : "high", "it reads or changes a disk past its files")],
    {
      options: { short: "Rfbsdci" },
    },
  ),
  unlessOption(
    "fsck fsck.ext2 fsck.ext3 fsck.ext4 fsck.xfs fsck.vfat fsck.btrfs e2fsck xfs_repair ntfsfix",
    "n N",
    [danger("critical", "it repairs a disk, which may lose what is on it")],
  ),
  unlessOption("tune2fs", "l", changesDisks),
  program("e2label fatlabel xfs_admin ntfslabel swaplabel", ({ operands }) =>
    operands.length > 1 ? changesDisks : [],
  ),
  changes("resize2fs xfs_growfs e2image xfs_copy ntfsclone ntfsresize fstrim", changesDisks),
  shows(
    "dumpe2fs xfs_info blkid findmnt lsblk lsscsi lsusb lspci lshw lscpu lsmem lsmod modinfo smem swapinfo",
  ),
  onlyWithOption(
    "smartctl",
    "t test s smart o offlineauto X abort set",
    [danger("high", "it changes how a disk works")],
    {
      short: "dlnqTb",
      long: ["device", "log"],
    },
  ),
  unlessVerb(
    "nvme",
    "list id-ctrl id-ns smart-log error-log fw-log list-ns list-subsys get-feature version",
    erases,
  ),
];

const kernel: readonly Program[] = [
  changes("insmod rmmod kldload kldunload kextload kextunload depmod dkms setpci livepatch", changesKernel),
  unlessOption("modprobe", "c showconfig show-depends D n dry-run show-config", changesKernel, {
    short: "CdS",
  }),
  unlessVerb("kmod", "list static-nodes", changesKernel),
  program("sysctl", parameters, {
    options: { short: "rp", long: ["pattern"], known: ["write", "system", "load", "all"] },
  }),
  changes("kexec", power),
  onlyWithOption(
    "dmesg",
    "C clear c read-clear D console-off E console-on n console-level",
    [danger("high", "it clears or silences the kernel's messages")],
    { short: "fFlns" },
  ),
  unlessVerb("bpftool", "version help", loadedIntoKernel),
  unlessOption("auditctl", "l s v", [danger("high", "it changes what the system records")]),
];

const booting: readonly Program[] = [
  changes(
    `grub-install grub2-install grub-mkconfig grub2-mkconfig update-grub update-grub2 grub-set-default
      lilo bless`,
    boots,
  ),
  changes(
    `grub-reboot grubby update-initramfs mkinitramfs mkinitcpio dracut sbctl kernel-install
      update-bootloader`,
    boots,
  ),
  unlessOption("efibootmgr", "v verbose", boots),
  unlessVerb("bootctl", "status list is-installed", boots),
  onlyWithOption("flashrom", "w write E erase wp-disable wp-enable wp-range", [
    danger("critical", "it writes the machine's firmware"),
  ]),
  unlessVerb("fwupdmgr", "get-devices get-updates get-history get-remotes security", [
    danger("critical", "it writes the machine's firmware"),
  ]),
];

const powering: readonly Program[] = [
  program("shutdown", ({ has }) => (has("c", "help", "show") ? [] : power)),
  changes(
    "reboot halt poweroff soft-reboot pm-suspend pm-hibernate pm-suspend-hybrid systemctl-reboot",
    power,
  ),
  program("init telinit", ({ operands }) => (operands.length > 0 ? power : [])),
  unlessOption("rtcwake", "n dry-run", power, { short: "mst", long: ["mode", "seconds", "time"] }),
  onlyWithOption("hwclock", "w systohc s hctosys set adjust", [danger("high", "it changes the clock")]),
  changes("ntpdate adjtimex", [danger("high", "it changes the clock")]),
];

export const system: readonly Program[] = [...disks, ...kernel, ...booting, ...powering];

/** A file may also contain a file system: then only that file is overwritten. */
function formatted({ operands }: Use): Effect[] {
  const target = operands.find(({ text }) => !/^\d+[kKmMgGtT]?$/u.test(text));
  return target && /^(?!\/dev\/)[\w./-]+$/u.test(target.text) ? replaces([target]) : erases;
}

/** `parted /dev/sda print`. */
function parted({ operands, has }: Use): Effect[] {
  if (has("l", "list", "help", "version")) return [];
  const verbs = operands
    .slice(1)
    .filter(({ text }) => !/^(?:unit|s|B|KiB|MiB|GiB|TiB|MB|GB|%|free|all)$/u.test(text));
  return verbs.length > 0 && verbs.every(({ text }) => text === "print" || text === "p") ? [] : changesDisks;
}

function* mounted(use: Use): Iterable<Effect> {
  if (use.has("l", "help", "version") || (use.operands.length === 0 && !use.has("a", "all"))) return;
  yield* mounts;
  if (use.values("o", "options").some(({ text }) => /(?:^|,)remount\b/u.test(text)))
    yield danger("critical", "it changes how a disk in use may be written");
}

function cryptsetup({ operands: [verb] }: Use): Effect[] {
  const opens = /^(?:open|close|luksOpen|luksClose|resume|suspend|luksSuspend|luksResume)$/u;
  return verb && opens.test(verb.text) ? mounts : erases;
}

function pools({ operands: [verb] }: Use): Effect[] {
  const loses =
    /^(?:destroy|rollback|labelclear|create|remove|detach|offline|replace|split|upgrade|promote)$/u;
  return [
    danger(
      verb && loses.test(verb.text) ? "critical" : "high",
      "it changes the disks' pools and what is kept there",
    ),
  ];
}

function copyOnWrite({ operands: [group, verb], has }: Use): Effect[] {
  if (group === undefined || has("help", "version") || group.text === "help" || group.text === "version")
    return [];
  if (
    verb &&
    /^(?:list|show|df|usage|du|status|stats|get|get-default|dump-super|dump-tree)$/u.test(verb.text)
  )
    return [];
  const loses =
    verb !== undefined && /^(?:delete|d|rescue|remove|zero-log|replace|create|resize)$/u.test(verb.text);
  return [danger(loses ? "critical" : "high", "it changes a disk's volumes")];
}

/** `sysctl name` shows; `sysctl -w name=value`, `sysctl -p file` set. */
function parameters({ operands, has, values }: Use): Effect[] {
  const sets =
    operands.some(({ text }) => text.includes("=")) || has("w", "write", "p", "load", "system", "f");
  return [...reads(values("p").filter(({ text }) => text.startsWith("/"))), ...(sets ? changesKernel : [])];
}

function loadedIntoKernel({ operands: [, verb = literal("")] }: Use): Effect[] {
  return /^(?:show|list|dump|help|probe|profile)$/u.test(verb.text) ? [] : changesKernel;
}
