/** Which machines are recognised as containers and virtual machines, by files below another root. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isolation } from "./isolation.ts";

async function machine(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "toolwright-machine-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

const dmi = (names: Record<string, string>) =>
  Object.fromEntries(Object.entries(names).map(([name, text]) => [`sys/class/dmi/id/${name}`, `${text}\n`]));

test.each<[what: string, files: Record<string, string>]>([
  ["a Docker container (/.dockerenv)", { ".dockerenv": "" }],
  ["a Podman container (/run/.containerenv)", { "run/.containerenv": "" }],
  [
    "a Kubernetes pod (/run/secrets/kubernetes.io)",
    { "run/secrets/kubernetes.io/serviceaccount/token": "x" },
  ],
  ["a container (/run/systemd/container)", { "run/systemd/container": "systemd-nspawn\n" }],
  ["a Kubernetes pod (/proc/1/cgroup)", { "proc/1/cgroup": "0::/kubepods.slice/kubepods-pod1.slice/x\n" }],
  ["a container (/proc/1/environ)", { "proc/1/environ": "TERM=linux\0container=lxc\0" }],
  ["a virtual machine (KVM)", dmi({ product_name: "KVM", sys_vendor: "Red Hat" })],
  [
    "a virtual machine (Virtual Machine)",
    dmi({ product_name: "Virtual Machine", sys_vendor: "Microsoft Corporation" }),
  ],
  ["a virtual machine (Amazon EC2)", dmi({ product_name: "m5.large", sys_vendor: "Amazon EC2" })],
])("%s is recognised", async (what, files) => {
  expect(isolation(await machine(files))).toBe(what);
});

test.each<[what: string, files: Record<string, string>]>([
  ["a machine without signs", {}],
  [
    "an ordinary computer",
    {
      ...dmi({ product_name: "Surface Laptop 5", sys_vendor: "Microsoft Corporation" }),
      "proc/1/cgroup": "0::/init.scope\n",
      "proc/1/environ": "TERM=linux\0mycontainer=1\0container=\0",
    },
  ],
  ["rented hardware", dmi({ product_name: "c5.metal", sys_vendor: "Amazon EC2" })],
  [
    "a container that shares the home of its person",
    { "run/.containerenv": "", "run/.toolboxenv": "", ".dockerenv": "" },
  ],
  ["a Distrobox", { "run/.containerenv": "", "run/.containersetupdone": "" }],
  ["a Flatpak", { "run/host/container-manager": "flatpak\n", ".flatpak-info": "" }],
  ["an Apptainer container", { ".dockerenv": "", ".singularity.d/env/x": "" }],
  [
    "a Windows machine's Linux",
    {
      "proc/sys/kernel/osrelease": "5.15.90.1-microsoft-standard-WSL2\n",
      "proc/1/environ": "container=wsl\0",
      "run/systemd/container": "wsl\n",
    },
  ],
])("%s is not recognised", async (_, files) => {
  expect(isolation(await machine(files))).toBeUndefined();
});
