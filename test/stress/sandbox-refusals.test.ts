/** What the kernel refused a contained command is known exactly, and what it allowed is never told. */

import { once } from "node:events";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ContainRequest } from "../../src/safety/sandbox/sandbox.ts";
import { processesCarrying } from "../support/processes.ts";
import {
  inPlace,
  makeTools,
  own,
  people,
  type Person,
  type Place,
  removeTools,
  requestFor,
  runOne,
  startRunner,
  type Tools,
} from "../support/sandbox-place.ts";

let tools: Tools;
beforeAll(async () => {
  tools = await makeTools();
});
afterAll(() => removeTools(tools));

/** Runs lines of Perl, which says what each of its calls came to. */
const perl = (lines: string): string =>
  `cat >/tmp/try.pl <<'EOF'\nuse Socket;\n${lines}\nEOF\nperl /tmp/try.pl`;
const connecting = (host: string, port: number): string =>
  `socket my $s${port}, AF_INET, SOCK_STREAM, 0; connect $s${port}, pack_sockaddr_in(${port}, inet_aton("${host}")) and print "CONNECTED\\n";`;

async function run(place: Place, line: string, more: Partial<ContainRequest> = {}) {
  return runOne(tools, place, requestFor(place, more.profile ?? "build", line, more));
}

const each = (title: string, work: (place: Place, person: Person) => Promise<void>): void => {
  test.each(people)(`as $name: ${title}`, (person) => inPlace(person, (place) => work(place, person)));
};

each("connections are known by the name that was asked for, and by their address", async (place) => {
  const lines = [
    connecting("registry.example", 443),
    connecting("10.1.2.3", 8080),
    'gethostbyname "only.example";',
    "socket my $u, AF_INET, SOCK_DGRAM, 0; send $u, 'x', 0, pack_sockaddr_in(53, inet_aton('8.8.8.8'));",
    "socket my $v, AF_INET6, SOCK_STREAM, 0; connect $v, pack_sockaddr_in6(443, Socket::inet_pton(AF_INET6, '2001:db8::1'));",
  ];
  const { refusals, output } = await run(place, perl(lines.join("\n")));
  expect(output).toBe("");
  expect(refusals).toEqual([
    { wanted: "host", host: "registry.example", port: 443 },
    { wanted: "host", host: "10.1.2.3", port: 8080 },
    { wanted: "host", host: "only.example" },
    { wanted: "host", host: "8.8.8.8", port: 53 },
    { wanted: "host", host: "2001:db8::1", port: 443 },
  ]);
});

each("services of this machine are told where the sandbox keeps them away", async (place, person) => {
  const socket = join(place.outside, "service.sock");
  const server = createServer((client) => void client.end());
  server.listen(socket);
  await once(server, "listening");
  own(place.outside, person);
  const lines = [
    connecting("127.0.0.1", 5432),
    `socket my $u, AF_UNIX, SOCK_STREAM, 0; connect $u, pack_sockaddr_un("${socket}") and print "CONNECTED\\n";`,
    'socket my $n, AF_UNIX, SOCK_STREAM, 0; connect $n, pack_sockaddr_un("/run/nothing.sock");',
    "socket my $d, AF_INET, SOCK_DGRAM, 0; connect $d, pack_sockaddr_in(6000, INADDR_LOOPBACK);",
  ];
  const { refusals, output } = await run(place, perl(lines.join("\n")));
  server.close();
  expect(output).toBe("");
  expect(refusals).toEqual([
    { wanted: "service", at: "127.0.0.1:5432" },
    { wanted: "service", at: socket },
  ]);
});

each("changes at read-only places are told, by the path that they lead to", async (place) => {
  const { home, workspace } = place;
  const outside = join(home, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "old"), "");
  mkdirSync(join(outside, "there"));
  own(outside, place.person);
  const line = [
    `echo x >${home}/new; echo x >>${home}/.gitconfig; touch .git/hooks/x; mkdir ${home}/made`,
    `ln -s ${outside} here && echo x >here/through; cd ${outside}; echo x >relative; rm -f old; mv there moved`,
    `chmod 600 old; ln -s x link; truncate -s 0 old`,
  ].join("\n");
  const { refusals } = await run(place, line);
  const paths = [
    join(home, "new"),
    join(home, ".gitconfig"),
    join(workspace, ".git/hooks/x"),
    join(home, "made"),
    ...["through", "relative", "old", "there", "link"].map((name) => join(outside, name)),
  ];
  expect(refusals?.map((one) => one.wanted === "write" && one.path).sort()).toEqual(paths.sort());
});

each("what would fail outside as well, and what is allowed, is no refusal", async (place) => {
  const { home } = place;
  const outside = join(home, "outside");
  mkdirSync(outside);
  own(outside, place.person);
  const line = [
    `mkdir -p ${home} ${outside}; mkdir ${home}; rm -f ${outside}/nothing; mv ${outside}/nothing ${outside}/other`,
    `echo x >${outside}/no/such/place; cat ${outside}/nothing; echo x >/dev/null; echo x >/tmp/a; mv /tmp/a /tmp/b`,
    "echo x >own; mkdir d; mv own d/own; ln -s d l; rm -r d l; echo x >/dev/shm/x; ls -la / >/dev/null; id; getent passwd root",
    "test -w /etc/hosts; [ -e /root/x ]; cat /etc/hosts >/dev/null; getent hosts localhost",
  ].join("\n");
  const { refusals } = await run(place, line, { overlay: true });
  expect(refusals).toEqual([]);
});

each(
  "a command that reaches its own server was refused nothing, even if it asked too early",
  async (place) => {
    const lines = [
      "use IO::Socket::INET; use IO::Socket::UNIX; ",
      connecting("127.0.0.1", 4000),
      'my $server = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1", LocalPort => 4000, ReuseAddr => 1) or die;',
      'my $local = IO::Socket::UNIX->new(Listen => 5, Local => "own.sock") or die;',
      'socket my $t, AF_INET, SOCK_STREAM, 0; connect $t, pack_sockaddr_in(4000, inet_aton("localhost")) or die "no";',
      'socket my $u, AF_UNIX, SOCK_STREAM, 0; connect $u, pack_sockaddr_un("own.sock") or die "no";',
    ];
    const { refusals, output, exit } = await run(place, perl(lines.join("\n")));
    expect({ refusals, output, exit }).toEqual({ refusals: [], output: "", exit: 0 });
  },
);

each("names with newlines and bytes of no text are told as they are, and forge nothing", async (place) => {
  const outside = place.home;
  const line = `cd ${outside}; : >$'a\\n+ w 2f666f72676564 0\\nb'; : >$'\\x1b[2J'; : >$'\\xff'`;
  const { refusals } = await run(place, line);
  expect(refusals).toEqual(
    ["a\n+ w 2f666f72676564 0\nb", "\u001b[2J", "\ufffd"].map((name) => ({
      wanted: "write",
      path: `${outside}/${name}`,
    })),
  );
});

each(
  "a thousand of each, from many processes and threads, are told once and slow nobody down",
  async (place) => {
    const work = `for my $at (1 .. 250) { ${connecting("many.example", 443)} ${connecting("127.0.0.1", 5432)} open my $f, ">", "${place.home}/one"; open my $g, ">", "mine" or die }`;
    const lines = `for (1 .. 4) { fork or do { ${work} exit } } 1 while wait > 0;`;
    const { refusals, exit } = await run(place, perl(lines));
    expect(exit).toBe(0);
    expect(refusals).toHaveLength(3);
  },
);

each(
  "a signal to a process outside is told, and to none that is its own or nobody's",
  async (place, person) => {
    const outside = startRunner(tools, person);
    try {
      const lines = [
        `kill 15, ${outside.pid};`,
        `kill 0, ${outside.pid};`,
        "kill 15, 4194301;",
        "my $child = fork; if (!$child) { 1 while 1 }",
        "kill 9, $child; waitpid $child, 0; print $? & 127;",
      ];
      const { refusals, output } = await run(place, perl(lines.join("\n")));
      expect([output, refusals]).toEqual(["9", [{ wanted: "process", pid: outside.pid, name: "node" }]]);
      expect(outside.exitCode ?? outside.signalCode).toBeNull();
      const own = await run(place, "bash -c 'kill -9 $$'; trap 'echo heard' TERM; kill $$; kill -- -$$");
      expect([own.output, own.refusals]).toEqual([expect.stringContaining("heard"), []]);
    } finally {
      outside.kill("SIGKILL");
    }
  },
);

each("exit codes and signals of a command pass through", async (place) => {
  for (const [line, code] of [
    ["exit 7", 7],
    ["kill -9 $$", 137],
    ["kill -15 $$", 143],
    ["(sleep 100 &); exit 3", 3],
  ] as const)
    expect((await run(place, line)).exit, line).toBe(code);
});

each("in the open nothing is observed, and in every contained profile it is", async (place) => {
  const line = `echo x >${place.home}/x`;
  for (const profile of ["read", "build", "git", "install"] as const)
    expect((await run(place, line, { profile })).refusals, profile).toEqual([
      { wanted: "write", path: join(place.home, "x") },
    ]);
  expect((await run(place, "true", { profile: "open" })).refusals).toBe(undefined);
});

each("killing the program that observes ends everything, with what it has seen", async (place, person) => {
  const request = requestFor(place, "build", `echo x >${place.home}/x; touch begun; exec sleep 1009`, {
    env: { ...requestFor(place, "build", "").env, PLACE: place.workspace },
  });
  const runner = startRunner(tools, person);
  const chunks: Buffer[] = [];
  runner.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  runner.stdin.end(JSON.stringify({ requests: [request] }));
  const closed = once(runner, "close");
  while (!existsSync(join(place.workspace, "begun")) && runner.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const [first] = processesCarrying(`PLACE=${place.workspace}`).sort((one, other) => one - other);
  if (first === undefined) throw new Error("nothing runs");
  process.kill(first, "SIGKILL");
  await closed;
  expect(processesCarrying(`PLACE=${place.workspace}`)).toEqual([]);
  expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject([
    { signal: "SIGKILL", refusals: [{ wanted: "write" }] },
  ]);
});

each("variables of Perl reach the command, and never what surrounds it", async (place) => {
  writeFileSync(join(place.workspace, "Evil.pm"), 'print "EVIL $$\\n"; 1;\n');
  const perls = { PERL5LIB: place.workspace, PERL5OPT: "-MEvil", PERL_BADLANG: "1" };
  const env = { ...requestFor(place, "build", "").env, ...perls, LC_ALL: "xx_XX" };
  const line = 'echo "$PERL5LIB $PERL5OPT $PERL_BADLANG"';
  const { output } = await run(place, line, { env });
  expect(output.split("\n").filter((one) => !one.includes("setlocale"))).toEqual([
    `${place.workspace} -MEvil 1`,
    "",
  ]);
});

each("what a command was refused it can be given, and no more than that", async (place, person) => {
  const { home, outside } = place;
  const given = join(home, "given");
  for (const path of [given, join(home, ".ssh"), join(home, "other")]) mkdirSync(path);
  const [socket, hidden] = [join(home, "service.sock"), join(given, "hidden.sock")];
  const servers = [socket, hidden].map((at) => createServer((client) => void client.end()).listen(at));
  await Promise.all(servers.map((server) => once(server, "listening")));
  own(home, person);
  const trying = [socket, hidden].map(
    (at) =>
      `socket my $s, AF_UNIX, SOCK_STREAM, 0; print connect($s, pack_sockaddr_un("${at}")) ? "reached " : "kept away ";`,
  );
  const line = `echo x >${given}/x; echo x >${outside}/x; echo x >${home}/other/x\n${perl(trying.join("\n"))}`;
  const got = await run(place, line, { overlay: true, outside: [given, outside, socket] });
  for (const server of servers) server.close();
  expect(got.output).toMatch(/other\/x: Read-only.*\nreached kept away $/u);
  expect(got.refusals).toEqual([
    { wanted: "write", path: join(home, "other/x") },
    { wanted: "service", at: hidden },
  ]);
  expect([given, outside, join(home, "other")].map((at) => existsSync(join(at, "x")))).toEqual([
    true,
    true,
    false,
  ]);
});

test.each([
  ["/", /holds .*further down/u],
  ["HOME", /holds .*further down/u],
  ["HOME/.aws", /lies in .*\.aws, which is hidden/u],
  ["HOME/.ssh", /makes programs run \(.*\.ssh\)/u],
  ["HOME/.local/state/toolwright", /holds .*toolwright/u],
  ["HOME/project/.git", /protected place/u],
  ["/proc", /belongs to the system/u],
  ["/proc/self/root/srv", /leads to \/srv; name that/u],
  ["/dev/shm", /belongs to the system/u],
  ["/usr/local/bin", /belongs to the system/u],
  ["/var", /belongs to the system/u],
  ["HOME/.config", /makes programs run \(.*\.config\//u],
  ["HOME/.local/bin", /makes programs run \(.*bin\)/u],
  ["HOME/beside", /makes programs run \(.*beside\/deep\/\.git\)/u],
  ["HOME/beside/deep/.git/hooks", /makes programs run \(.*\.git\)/u],
  ["HOME/alias", /alias leads to .*plain; name that/u],
  ["HOME/none", /is not there; make it first/u],
  ["HOME/.gitconfig", /neither a directory nor a socket/u],
  ["registry.example:443", /only the profiles install and git/u],
])("%s is given to no command of the profile build", (outside, problem) =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    for (const path of [".aws", ".ssh", ".config", ".local/bin", "beside/deep/.git/hooks", "plain"])
      mkdirSync(join(place.home, path), { recursive: true });
    symlinkSync("plain", join(place.home, "alias"));
    own(place.home, place.person);
    const { refused } = await run(place, "true", { outside: [outside.replace("HOME", place.home)] });
    expect(refused).toMatch(problem);
  }),
);

each(
  "a host that it is given is reached by its name and port, and no other, not even a registry",
  async (place) => {
    const { createServer: createWeb } = await import("node:http");
    const server = createWeb((_, response) => void response.end("hello"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const line = `for at in 127.0.0.1.nip.example:${port} localtest.example:1 registry.npmjs.org:80; do curl -sS --noproxy '' "http://$at/"; echo; done; curl -s --noproxy '' http://localhost:${port}/; curl -s --noproxy '' http://127.0.0.1:${port}/`;
    const { output, warnings } = await run(place, line, {
      profile: "install",
      outside: [`127.0.0.1:${port}`, `localhost:${port}`],
    });
    server.close();
    expect(output).toMatch(/hello$/u);
    expect(output).toContain(`localhost:${port} has only private addresses`);
    expect(warnings.join("\n")).toContain(
      "registry.npmjs.org:80 is not among the hosts that it may reach. If it needs that, run",
    );
  },
);
