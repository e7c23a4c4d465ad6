/** Recognises a machine that is there to be thrown away: a container or a virtual machine, by signs that only root sets. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileText } from "./on-disk.ts";

/** Whether there is something at a path, and what its first characters are; both below the root of the machine. */
type Machine = { has: (path: string) => boolean; text: (path: string) => string };

/**
 * In words, or undefined. A container that shares the home of its person is none: what runs there reaches all that the
 * person has. `root`: where the machine's files lie; another one in tests.
 */
export function isolation(root = "/"): string | undefined {
  const machine: Machine = {
    has: (path) => existsSync(join(root, path)),
    text: (path) => textAt(join(root, path)),
  };
  if (sharingHome.some(machine.has)) return undefined;
  return containerIn(machine) ?? virtualMachineIn(machine);
}

/** Toolbx, Distrobox, Flatpak and Apptainer (also as Singularity). */
const sharingHome = ["/run/.toolboxenv", "/run/.containersetupdone", "/.flatpak-info", "/.singularity.d"];

/** What container managers leave in `/` and `/run`, where only root can write. A Windows machine's Linux is none. */
const marks: readonly (readonly [path: string, name: string])[] = [
  ["/.dockerenv", "a Docker container"],
  ["/run/.containerenv", "a Podman container"],
  ["/run/secrets/kubernetes.io", "a Kubernetes pod"],
  ["/var/run/secrets/kubernetes.io", "a Kubernetes pod"],
  ["/run/systemd/container", "a container"],
  ["/run/host/container-manager", "a container"],
];

function containerIn({ has, text }: Machine): string | undefined {
  const mark = marks.find(([path]) => has(path) && text(path).trim() !== "wsl");
  if (mark) return `${mark[1]} (${mark[0]})`;
  // Of the first process: only root, or the person who owns it, can read or choose these.
  if (text("/proc/1/cgroup").includes("/kubepods")) return "a Kubernetes pod (/proc/1/cgroup)";
  const variables = text("/proc/1/environ").split("\0");
  return variables.some((one) => /^container=(?!wsl$)./u.test(one))
    ? "a container (/proc/1/environ)"
    : undefined;
}

/** How the names that firmware gives to virtual hardware begin. Rented hardware (`.metal`) has the cloud's, too. */
const virtualHardware =
  /^(?:KVM|OpenStack|KubeVirt|Amazon EC2|QEMU|VMware|VMW|innotek GmbH|VirtualBox|Xen|Bochs|Parallels|BHYVE|Hyper-V|Apple Virtualization|Google Compute Engine|Virtual Machine)/u;
const firmware = ["product_name", "sys_vendor", "board_vendor", "bios_vendor", "product_version"];

function virtualMachineIn({ text }: Machine): string | undefined {
  const names = firmware.map((name) => text(`/sys/class/dmi/id/${name}`).trim());
  if (names.some((name) => /\.metal(?:-|$)/u.test(name))) return undefined;
  const name = names.find((one) => virtualHardware.test(one));
  return name === undefined ? undefined : `a virtual machine (${name})`;
}

/** Empty if it cannot be read. These files are small; a hostile one is not read further. */
const textAt = (path: string): string => fileText(path).slice(0, 65_536);
