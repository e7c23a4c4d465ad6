/** Sockets of programs outside the sandbox cannot be reached from it, however and whenever they were bound. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Profile } from "../../src/protocol/fact-words.ts";
import type { ContainRequest } from "../../src/safety/sandbox/sandbox.ts";
import {
  inPlace,
  makeTools,
  own,
  people,
  type Person,
  type Place,
  removeTools,
  requestFor,
  runAs,
  type Tools,
} from "../support/sandbox-place.ts";

let tools: Tools;
const listeners: ChildProcess[] = [];
beforeAll(async () => {
  tools = await makeTools();
});
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.kill("SIGKILL");
});
afterAll(() => removeTools(tools));

/** Binds NAME in the directory it has changed to, listens, then does MORE, and says so. */
const listening = `
  use Socket; my ($directory, $name, $type, $more) = @ARGV; chdir $directory or die;
  socket(my $s, AF_UNIX, $type, 0) or die; bind($s, sockaddr_un($name)) or die "$name: $!";
  chmod 0777, $name; $type == SOCK_STREAM and (listen($s, 9) or die); system $more if $more;
  $| = 1; print "listening\\n"; 1 while accept(my $c, $s); sleep 600;`;

type Bound = { name?: string; more?: string; datagram?: boolean; elsewhere?: boolean };

async function listen(person: Person, directory: string, { name = "a.sock", ...how }: Bound = {}) {
  mkdirSync(directory, { recursive: true });
  own(directory, person);
  const asPerson = process.getuid?.() === 0 && person.uid !== 0;
  const words = [
    ...(asPerson
      ? ["setpriv", `--reuid=${person.uid}`, `--regid=${person.uid}`, "--clear-groups", "--"]
      : []),
    ...(how.elsewhere ? ["unshare", "-Urn"] : []),
    "perl",
    "-e",
    listening,
    directory,
    name,
    how.datagram ? "2" : "1",
    how.more ?? "",
  ];
  const child = spawn(words[0] ?? "", words.slice(1), { stdio: ["ignore", "pipe", "inherit"] });
  listeners.push(child);
  for await (const line of createInterface(child.stdout)) if (line === "listening") return;
  throw new Error("nobody listens");
}

/** Connects to everything that looks like a socket below the places, and writes a datagram to it. */
const reach = (...places: string[]): string =>
  `perl -MSocket -MFile::Find -e 'find(sub { return unless -S $_; for my $t (SOCK_STREAM, SOCK_DGRAM) { socket(my $s, AF_UNIX, $t, 0); connect($s, sockaddr_un($_)) and print "ESCAPED $File::Find::name\\n" } }, @ARGV)' ${places.join(" ")}; echo TRIED`;

type Way = { profile: Profile } & Pick<ContainRequest, "overlay" | "terminal">;
const ways: readonly Way[] = [
  { profile: "read" },
  { profile: "read", terminal: true },
  ...(["build", "git", "install"] as const).flatMap((profile): Way[] => [
    { profile },
    { profile, overlay: true },
    { profile, overlay: "whole" },
    { profile, terminal: true },
  ]),
];

async function expectNone(place: Place, line: string): Promise<void> {
  const requests = ways.map(({ profile, ...more }) => requestFor(place, profile, line, more));
  const outcomes = await runAs(tools, place.person, { requests });
  for (const [at, { output, refused }] of outcomes.entries()) {
    expect(`${refused ?? ""}${output}`.replaceAll("\r", ""), `${JSON.stringify(ways[at])}: ${output}`).toBe(
      "TRIED\n",
    );
  }
}

const forms: readonly (readonly [string, Bound])[] = [
  ["by a relative name", {}],
  ["and then renamed", { name: "b.sock", more: "mv b.sock a.sock" }],
  ["and then hard-linked", { more: "ln a.sock linked.sock; rm a.sock" }],
  ["and then linked from another directory", { more: "mkdir deep; ln a.sock deep/.x; rm a.sock" }],
  ["for datagrams", { datagram: true }],
  ["in another network namespace", { elsewhere: true }],
];

test.each(people.flatMap((person) => forms.map(([words, bound]) => ({ person, words, bound }))))(
  "as $person.name: a socket bound $words cannot be reached in any contained profile",
  ({ person, bound }) =>
    inPlace(person, async (place) => {
      const { home, workspace } = place;
      const directories = [home, workspace, join(home, "beside"), join(workspace, "src/deep")];
      for (const directory of directories) await listen(person, directory, bound);
      await listen(person, join(workspace, ".git"), bound);
      await listen(person, join(workspace, ".vscode"), bound);
      await expectNone(place, reach(home, workspace, join(home, "beside")));
    }),
);

/** Not to be found through a name: an overlay remembers names that were not there. */
const late = (directory: string): string =>
  `until ls ${directory} | grep -q late.sock; do sleep 0.02; done; cd ${directory}; ${reach("late.sock")}`;

const tried = people.flatMap((person) => ways.map((way) => ({ person, way, words: JSON.stringify(way) })));

test.each(tried)("as $person.name, $words: a socket that appears while the command runs", ({ person, way }) =>
  inPlace(person, async (place) => {
    const { profile, ...more } = way;
    const isBare = more.terminal === true || (profile !== "read" && !more.overlay);
    for (const where of ["home", "workspace"] as const) {
      const directory = place[where];
      // Under this name it is there only once somebody listens: a bound socket refuses until then.
      const ready = join(place.outside, `${where}-ready`);
      const request = requestFor(place, profile, late(directory), more);
      const atStart = `perl -e '${listening}' ${directory} early.sock 1 "mv early.sock late.sock; touch ${ready}" & echo $! > ${ready}-pid; until test -e ${ready}; do sleep 0.02; done`;
      const [outcome] = await runAs(tools, person, { requests: [request], atStart });
      process.kill(Number(readFileSync(`${ready}-pid`, "utf8")));
      const said = outcome?.output.replaceAll("\r", "");
      if (where === "workspace" && isBare) {
        expect(said).toEqual(expect.stringMatching(/^(?:ESCAPED \.?\/?late\.sock\n)+TRIED\n$/));
        if (profile !== "read")
          expect(outcome?.warnings.join()).toMatch(/^late\.sock, a socket of a program outside/);
      } else expect(said).toBe("TRIED\n");
    }
  }),
);

test.each(people)("as $name: a command reaches its own sockets, in every profile", (person) =>
  inPlace(person, async (place) => {
    const talk = (path: string): string =>
      `perl -MSocket -e 'unlink "${path}"; socket(my $l, AF_UNIX, SOCK_STREAM, 0); bind($l, sockaddr_un("${path}")) or die "$!"; listen($l, 1); socket(my $c, AF_UNIX, SOCK_STREAM, 0); connect($c, sockaddr_un("${path}")) and print "reached\\n"'`;
    for (const { profile, ...more } of ways) {
      const paths = profile === "read" ? ["/tmp/x.sock"] : ["/tmp/x.sock", "own.sock"];
      const requests = [requestFor(place, profile, paths.map(talk).join("; "), more)];
      const [outcome] = await runAs(tools, person, { requests });
      expect(outcome?.output.replaceAll("\r", ""), JSON.stringify({ profile, ...more })).toBe(
        paths.map(() => "reached\n").join(""),
      );
      expect(outcome?.warnings).toEqual([]);
    }
  }),
);
