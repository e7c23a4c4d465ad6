import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { commands } from "../../src/configuration/options/commands.ts";
import { options } from "../../src/configuration/options/options.ts";
import { manPage } from "./man-page.ts";

test("the manual page has every command, option and variable", () => {
  const page = manPage().replaceAll("\\-", "-");
  for (const { name } of commands) expect(page).toMatch(new RegExp(`^\\.B toolwright ${name}\\\\fR`, "mu"));
  for (const { flag } of options) expect(page).toMatch(new RegExp(`^\\.B (?:-\\w, )?--${flag}\\b`, "mu"));
  for (const { variable } of options) if (variable !== undefined) expect(page).toContain(`.B ${variable}\n`);
});

test("no line of text begins like a request of the formatter", () => {
  for (const line of manPage().split("\n"))
    expect(line).toMatch(/^(?:\.(?:TH|SH|SS|TP|IP|RS|RE|B|I|br)\b|\.\\"|[^.'])|^$/u);
});

const formatter = spawnSync("groff", ["-man", "-ww", "-Tutf8"], { input: manPage(), encoding: "utf8" });

test.runIf(formatter.error === undefined)("the formatter has nothing to complain about", () => {
  expect([formatter.status, formatter.stderr]).toEqual([0, ""]);
});
