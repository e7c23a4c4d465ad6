import { expect, test } from "vitest";
import { effectsOf, effectLines } from "../testing/effects.ts";

const tells = (line: string): string[] => effectLines(effectsOf([], line)).map((words) => words.trim());

test.each([
  ["bash -c id", ["interprets shell id bash"]],
  ["bash -ec id", ["interprets shell id bash"]],
  ["bash -c -e id", ["interprets shell id bash"]],
  ["sh -c id name first", ["interprets shell id name first"]],
  ["bash -o pipefail -O extglob -c id", ["interprets shell id bash"]],
  ["bash +e +o posix -x -c id", ["interprets shell id bash"]],
  [`bash ${"+e ".repeat(50)}-c id`, ["interprets shell id bash"]],
  ["bash --norc -lc id", ["interprets shell id bash"]],
  ["bash --rcfile /tmp/x -ic id", ["loads /tmp/x shell", "interprets shell id bash"]],
  ["sh -c -- id", ["interprets shell id sh"]],
  ["bash -c ?options id", ["interprets shell … id", "interprets shell id"]],
  ["fish -c id", ["interprets shell id"]],
  ["fish --command=id", ["interprets shell id"]],
  ["csh -c id", ["interprets shell id csh"]],
  ["nu -c id", ["interprets shell id"]],
])("code in arguments is reported as code: %s", (line, effects) => {
  expect(tells(line)).toEqual(effects);
});

test.each([
  ["bash", "interprets-input shell"],
  ["bash -", "loads - shell"],
  ["bash -s a b", "interprets-input shell"],
  ["bash -i", "interprets-input shell"],
  ["bash /dev/stdin", "loads /dev/stdin shell"],
  ["sh /proc/self/fd/0", "loads /proc/self/fd/0 shell"],
  ["bash x.sh a b", "loads x.sh shell"],
  ["bash -x -- x.sh", "loads x.sh shell"],
  ["bash - x.sh", "loads x.sh shell"],
  ["bash -n x.sh", "reads x.sh"],
  ["fish x.fish", "loads x.fish shell"],
])("the source of other code is reported: %s", (line, effect) => {
  expect(tells(line)).toEqual([effect]);
});

test.each(["bash --version", "bash --help", "zsh --version", "bash -n", "fish -v"])(
  "a shell asked for its version or a check runs nothing: %s",
  (line) => {
    expect(tells(line)).toEqual([]);
  },
);

test.each([
  ["pwsh -Command Remove-Item -Recurse x", "interprets shell Remove-Item -Recurse x"],
  ["pwsh -NoProfile -ExecutionPolicy Bypass -c id", "interprets shell id"],
  ["powershell -enc AAAA", "danger critical it runs code that is hidden by an encoding"],
  ["powershell -ENCODEDCOMMAND AAAA", "danger critical it runs code that is hidden by an encoding"],
  ["pwsh -File x.ps1", "loads x.ps1 other"],
  ["cmd /c del /q x", "interprets shell del /q x"],
])("code for PowerShell and cmd is reported: %s", (line, effect) => {
  expect(tells(line)).toContain(effect);
});
