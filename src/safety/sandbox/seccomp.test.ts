import { expect, test } from "vitest";
import { type Filtering, type MachineArchitecture, machineOf, seccompFilter } from "./seccomp.ts";
import {
  attributeCalls,
  inspectedCalls,
  modeCalls,
  openat2,
  refusedCalls,
  sharedCalls,
} from "./system-calls.ts";

const arch: Record<MachineArchitecture, number> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/**
 * Runs the filter as the kernel would, on `struct seccomp_data`: number, architecture, instruction pointer, six
 * arguments.
 */
function verdict(
  machine: MachineArchitecture,
  number: number,
  given: readonly bigint[] = [],
  { as = arch[machine], setId = "forbidden", shared }: { as?: number } & Partial<Filtering> = {},
): string {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, as, true);
  for (const [at, value] of given.entries()) data.setBigUint64(16 + at * 8, value, true);
  const filter = seccompFilter(machine, { setId, ...(shared ? { shared } : {}) });
  const program = new DataView(filter.buffer);
  let word = 0;
  for (let at = 0, steps = 0; steps < 4096; steps += 1) {
    const code = program.getUint16(at * 8, true);
    const [whenTrue, whenFalse] = [program.getUint8(at * 8 + 2), program.getUint8(at * 8 + 3)];
    const value = program.getUint32(at * 8 + 4, true);
    const jump = (holds: boolean): void => void (at += 1 + (holds ? whenTrue : whenFalse));
    if (code === 0x20) word = data.getUint32(value, true);
    if (code === 0x06) return inWords(value);
    if (code === 0x20) at += 1;
    else if (code === 0x15) jump(word === value);
    else if (code === 0x35) jump(word >= value);
    else if (code === 0x45) jump((word & value) !== 0);
    else throw new Error(`no such instruction: ${code}`);
  }
  throw new Error("it does not end");
}

const inWords = (value: number): string => (value === 0x7fff_0000 ? "allow" : `errno ${value - 0x0005_0000}`);

const machines = ["x64", "arm64"] as const;

test.each(machines)("%s: every call in the table is refused as missing or forbidden", (machine) => {
  for (const call of refusedCalls) {
    const number = call[machine];
    if (number !== undefined)
      expect(`${call.name}: ${verdict(machine, number)}`).toBe(
        `${call.name}: errno ${call.refusal === "missing" ? 38 : 1}`,
      );
  }
});

test.each(machines)("%s: every other call is allowed", (machine) => {
  const known = new Set([...refusedCalls, ...Object.values(inspectedCalls)].map((call) => call[machine]));
  for (let number = 0; number < 600; number += 1) {
    if (known.has(number)) continue;
    expect(`${number} ${verdict(machine, number, [], { setId: "allowed" })}`).toBe(`${number} allow`);
    expect(verdict(machine, number)).toBe(number === openat2 ? "errno 38" : "allow");
  }
});

test.each(machines)(
  "%s: input cannot be injected into terminals, whatever the upper half of the ioctl request",
  (machine) => {
    const ioctl = inspectedCalls.ioctl[machine];
    for (const request of [0x5412n, 0x541cn, 0xffff_ffff_0000_5412n])
      expect(verdict(machine, ioctl, [0n, request])).toBe("errno 1");
    for (const request of [0x5401n, 0x5413n, 0n])
      expect(verdict(machine, ioctl, [0n, request])).toBe("allow");
  },
);

test.each(machines)("%s: only local, IP and netlink sockets are allowed", (machine) => {
  const families = Array.from({ length: 46 }, (_, family) => family);
  const open = families.filter(
    (family) => verdict(machine, inspectedCalls.socket[machine], [BigInt(family)]) === "allow",
  );
  expect(open).toEqual([1, 2, 10, 16]);
  expect(verdict(machine, inspectedCalls.socket[machine], [40n])).toBe("errno 97");
});

test.each(machines)(
  "%s: new namespaces are refused; threads, processes and unsharing files are allowed",
  (machine) => {
    const namespaces = [
      0x2_0000n,
      0x200_0000n,
      0x400_0000n,
      0x800_0000n,
      0x1000_0000n,
      0x2000_0000n,
      0x4000_0000n,
    ];
    for (const flag of namespaces) {
      expect(verdict(machine, inspectedCalls.clone[machine], [flag | 17n])).toBe("errno 1");
      expect(verdict(machine, inspectedCalls.unshare[machine], [flag])).toBe("errno 1");
    }
    expect(verdict(machine, inspectedCalls.unshare[machine], [0x80n])).toBe("errno 1");
    for (const flags of [17n, 0x3d0f00n, 0x120_0011n, 0x4111n])
      expect(verdict(machine, inspectedCalls.clone[machine], [flags])).toBe("allow");
    for (const flags of [0x400n, 0x200n])
      expect(verdict(machine, inspectedCalls.unshare[machine], [flags])).toBe("allow");
  },
);

test.each(machines)("%s: no call makes a file set-id, unless the filter allows it", (machine) => {
  for (const { mode, flags, ...call } of modeCalls) {
    const number = call[machine];
    if (number === undefined) continue;
    const judged = (bits: number, flag = 0, setId?: "allowed"): string => {
      const given = [0n, 0n, 0n, 0n];
      if (flags !== undefined) given[flags] = BigInt(flag);
      given[mode] = BigInt(bits);
      return `${call.name} ${verdict(machine, number, given, setId ? { setId } : {})}`;
    };
    for (const bits of [0o4755, 0o2755, 0o6000, 0o104755]) {
      expect(judged(bits, 0o101)).toBe(`${call.name} errno 1`);
      expect(judged(bits, 0o20_200_002)).toBe(`${call.name} errno 1`);
      expect(judged(bits, 0o101, "allowed")).toBe(`${call.name} allow`);
      if (flags !== undefined) expect(judged(bits, 0o200_002)).toBe(`${call.name} allow`);
    }
    for (const bits of [0o755, 0o1777, 0o100644]) expect(judged(bits, 0o101)).toBe(`${call.name} allow`);
  }
});

test("calls of another architecture, x32 included, are refused as missing", () => {
  for (const other of [0x4000_0003, 0x4000_0028, 0, arch.arm64])
    for (const number of [0, 1, 11, 425]) expect(verdict("x64", number, [], { as: other })).toBe("errno 38");
  expect(verdict("arm64", 0, [], { as: arch.x64 })).toBe("errno 38");
  for (const number of [0x4000_0000, 0x4000_0001, 0xffff_ffff])
    expect(verdict("x64", number)).toBe("errno 38");
});

test("a machine without known call numbers has no filter", () => {
  expect(["x64", "arm64", "riscv64", "ia32"].map(machineOf)).toEqual(["x64", "arm64", undefined, undefined]);
});

test.each(machines)("%s: without namespaces there are no sockets but connected pairs", (machine) => {
  const { socket, socketpair, prlimit64 } = inspectedCalls;
  const shared = { changes: true };
  const given = (number: number, ...words: bigint[]) => verdict(machine, number, words, { shared });
  for (const family of [1n, 2n, 10n, 16n]) {
    expect(given(socket[machine], family)).toBe("errno 97");
    expect(verdict(machine, socket[machine], [family])).toBe("allow");
  }
  const cloexec = 0x8_0000n;
  expect([1n, 5n, 2n, 3n].map((type) => given(socketpair[machine], 1n, type | cloexec))).toEqual([
    "allow",
    "allow",
    "errno 97",
    "errno 97",
  ]);
  expect([0n, 4711n].map((pid) => given(prlimit64[machine], pid))).toEqual(["allow", "errno 1"]);
  expect(verdict(machine, prlimit64[machine], [4711n])).toBe("allow");
});

test.each(machines)(
  "%s: without namespaces nothing is shared with other programs, and reading changes nothing",
  (machine) => {
    const allowed = (number: number, shared: Filtering["shared"]) =>
      verdict(machine, number, [], shared ? { shared } : {});
    for (const call of sharedCalls) {
      const number = call[machine] ?? -1;
      expect([call.name, allowed(number, { changes: true }), allowed(number, undefined)]).toEqual([
        call.name,
        "errno 38",
        "allow",
      ]);
    }
    for (const call of attributeCalls) {
      const number = call[machine];
      if (number === undefined) continue;
      expect([call.name, allowed(number, { changes: true }), allowed(number, { changes: false })]).toEqual([
        call.name,
        "allow",
        "errno 1",
      ]);
    }
  },
);
