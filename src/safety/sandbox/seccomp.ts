/** Builds the system call filter: classic BPF, which bubblewrap loads before the command starts. */

import {
  attributeCalls,
  inspectedCalls,
  modeCalls,
  openat2,
  type SystemCallRefusal,
  refusedCalls,
  sharedCalls,
} from "./system-calls.ts";

export type MachineArchitecture = "x64" | "arm64";

/** The filter's name for this architecture, or undefined if we have no filter for it. */
export function machineOf(arch: string): MachineArchitecture | undefined {
  return arch === "x64" || arch === "arm64" ? arch : undefined;
}

/**
 * `setId`: whether commands may give files the bits with which they run as their owner or group. `shared`: they have no
 * network and no IPC namespace of their own, so they get no sockets but connected pairs; `changes`: whether they change
 * anything at all.
 */
export type Filtering = { setId: "allowed" | "forbidden"; shared?: { changes: boolean } };

/** The filter as `struct sock_filter[]`, little-endian, as seccomp(2) takes it. */
export function seccompFilter(machine: MachineArchitecture, { setId, shared }: Filtering): Uint8Array {
  const program = programFor(machine, [
    ...(shared ? amongOthers(machine, shared) : []),
    ...inspectionProgram(machine),
    ...(setId === "allowed" ? [] : withoutSetId(machine)),
  ]);
  return assembleFilter(program);
}

/** As `struct sock_filter[]`, little-endian. */
export function assembleFilter(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  for (const [at, { code, whenTrue, whenFalse, value }] of program.entries()) {
    bytes.setUint16(at * 8, code, true);
    bytes.setUint8(at * 8 + 2, whenTrue);
    bytes.setUint8(at * 8 + 3, whenFalse);
    bytes.setUint32(at * 8 + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
}

export type Instruction = { code: number; whenTrue: number; whenFalse: number; value: number };

/** linux/bpf_common.h: load a word, jump if equal, if at least, if a bit is set, return. */
export const load = (offset: number): Instruction => ({
  code: 0x20,
  whenTrue: 0,
  whenFalse: 0,
  value: offset,
});
export const give = (value: number): Instruction => ({ code: 0x06, whenTrue: 0, whenFalse: 0, value });
export const unlessEqual = (value: number, skip: number): Instruction => jump(0x15, value, [0, skip]);
export const ifEqual = (value: number, skip: number): Instruction => jump(0x15, value, [skip, 0]);
const unlessAtLeast = (value: number, skip: number): Instruction => jump(0x35, value, [0, skip]);
const ifBits = (value: number, skip: number): Instruction => jump(0x45, value, [skip, 0]);
export const unlessBits = (value: number, skip: number): Instruction => jump(0x45, value, [0, skip]);

function jump(code: number, value: number, [whenTrue, whenFalse]: readonly [number, number]): Instruction {
  return { code, whenTrue, whenFalse, value };
}

/** Offsets into `struct seccomp_data`; arguments are 64 bits wide, lower half first. */
export const numberField = 0;
export const archField = 4;
export const argumentField = (index: number): number => 16 + index * 8;

export const allow = give(0x7fff_0000);
const errno = (code: number): Instruction => give(0x0005_0000 | code);
const answers: Readonly<Record<SystemCallRefusal, Instruction>> = { missing: errno(38), forbidden: errno(1) };
const noSuchFamily = errno(97);

/** AUDIT_ARCH values from linux/audit.h. */
export const archWord: Readonly<Record<MachineArchitecture, number>> = {
  x64: 0xc000_003e,
  arm64: 0xc000_00b7,
};
/** On x86-64, call numbers from here on belong to the x32 ABI. */
const x32 = 0x4000_0000;

/** TIOCSTI types into a terminal, TIOCLINUX pastes into one. The kernel reads only 32 bits of the request. */
const terminalRequests = [0x5412, 0x541c];
/**
 * AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Other families ignore network namespaces (vsock, for one) or are not needed
 * here.
 */
const families = [1, 2, 10, 16];
/**
 * Every CLONE_NEW… flag: a new user namespace would grant capabilities inside it. CLONE_NEWTIME is only a flag of
 * unshare.
 */
const namespaceFlags = 0x7e02_0000;
const newTimeNamespace = 0x80;

function programFor(machine: MachineArchitecture, more: readonly Instruction[]): Instruction[] {
  return [
    load(archField),
    ifEqual(archWord[machine], 1),
    answers.missing,
    load(numberField),
    ...(machine === "x64" ? [unlessAtLeast(x32, 1), answers.missing] : []),
    ...refusedCalls.flatMap((refused) => refuse(refused[machine], refused.refusal)),
    ...more,
    allow,
  ];
}

const setIdBits = 0o6000;
/** O_CREAT and the bit that distinguishes O_TMPFILE from O_DIRECTORY. */
const creating = 0o100 | 0o20_000_000;

function withoutSetId(machine: MachineArchitecture): Instruction[] {
  const calls = modeCalls.flatMap(({ mode, flags, ...call }) => {
    const number = call[machine];
    return number === undefined
      ? []
      : block(number, [
          ...(flags === undefined ? [] : [load(argumentField(flags)), ifBits(creating, 1), allow]),
          load(argumentField(mode)),
          unlessBits(setIdBits, 1),
          answers.forbidden,
          allow,
        ]);
  });
  return [...refuse(openat2, "missing"), ...calls];
}

/**
 * A pair of datagram sockets (or raw ones, which become such) can send to any address; pairs of streams are connected
 * for good.
 */
const connectionless = 0b0010;

function amongOthers(machine: MachineArchitecture, { changes }: { changes: boolean }): Instruction[] {
  const calls = [...sharedCalls, ...(changes ? [] : attributeCalls)];
  return [
    ...calls.flatMap((refused) => refuse(refused[machine], refused.refusal)),
    ...block(inspectedCalls.socket[machine], [noSuchFamily]),
    ...block(inspectedCalls.socketpair[machine], [
      load(argumentField(1)),
      unlessBits(connectionless, 1),
      noSuchFamily,
      allow,
    ]),
    ...block(inspectedCalls.prlimit64[machine], [
      load(argumentField(0)),
      ifEqual(0, 1),
      answers.forbidden,
      allow,
    ]),
  ];
}

function refuse(number: number | undefined, refusal: SystemCallRefusal): Instruction[] {
  return number === undefined ? [] : [unlessEqual(number, 1), answers[refusal]];
}

/** Each block overwrites the loaded call number with an argument, so it must end in a verdict. */
const block = (number: number, body: readonly Instruction[]): Instruction[] => [
  unlessEqual(number, body.length),
  ...body,
];

function inspectionProgram(machine: MachineArchitecture): Instruction[] {
  const newNamespace = (flags: number): Instruction[] => [
    load(argumentField(0)),
    unlessBits(flags, 1),
    answers.forbidden,
    allow,
  ];
  return [
    ...block(inspectedCalls.ioctl[machine], [
      load(argumentField(1)),
      ...terminalRequests.flatMap((request) => [unlessEqual(request, 1), answers.forbidden]),
      allow,
    ]),
    ...block(inspectedCalls.socket[machine], [
      load(argumentField(0)),
      ...families.flatMap((family) => [unlessEqual(family, 1), allow]),
      noSuchFamily,
    ]),
    ...block(inspectedCalls.clone[machine], newNamespace(namespaceFlags)),
    ...block(inspectedCalls.unshare[machine], newNamespace(namespaceFlags | newTimeNamespace)),
  ];
}
