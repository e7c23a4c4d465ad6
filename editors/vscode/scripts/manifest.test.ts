/** The manifest as it is packaged. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isObject } from "../../../src/base/json.ts";
import { localised } from "./localised.ts";
import { packagedManifest } from "./manifest.ts";
import { settingProperties } from "./settings.ts";

const folder = join(import.meta.dirname, "..");
const manifest = await packagedManifest("1.2.3");
const text = JSON.stringify(manifest);

test("every command of a menu, a key or a link is declared once", () => {
  const declared = commandsIn(manifest["contributes"], "commands");
  expect(new Set(declared).size).toBe(declared.length);
  const places = ["menus", "keybindings", "walkthroughs"].flatMap((name) =>
    [
      ...JSON.stringify(partOf(manifest["contributes"], name)).matchAll(
        /"(?:command|onCommand):?"?:?"?(toolwright\.[\w.]+)/gu,
      ),
    ].map(([, command = ""]) => command),
  );
  expect(places.length).toBeGreaterThan(10);
  expect(places.filter((command) => !declared.includes(command))).toEqual([]);
});

test("every text that the manifest refers to is there, and none is there for nothing", async () => {
  const texts: Record<string, string> = JSON.parse(await readFile(join(folder, "package.nls.json"), "utf8"));
  const used = [...text.matchAll(/%([\w.]+)%/gu)].map(([, key = ""]) => key);
  expect(used.filter((key) => texts[key] === undefined)).toEqual([]);
  expect(Object.keys(texts).filter((key) => !used.includes(key))).toEqual([]);
});

test("what people read is a reference to a text, also of what a feature contributes; what models read is not", () => {
  const { manifest: shown, texts } = localised(
    {
      contributes: {
        commands: [
          { command: "a.b", title: "Do It" },
          { command: "a.c", title: "%there%" },
        ],
        views: { v: [{ id: "v.x", name: "Things" }] },
        chatParticipants: [{ id: "p", name: "helper", description: "Helps." }],
        languageModelTools: [{ name: "t", inputSchema: { properties: { x: { description: "An x." } } } }],
      },
    },
    { there: "There" },
  );
  expect(shown["contributes"]).toEqual({
    commands: [
      { command: "a.b", title: "%commands.a.b.title%" },
      { command: "a.c", title: "%there%" },
    ],
    views: { v: [{ id: "v.x", name: "%views.v.v.x.name%" }] },
    chatParticipants: [{ id: "p", name: "helper", description: "%chatParticipants.p.description%" }],
    languageModelTools: [{ name: "t", inputSchema: { properties: { x: { description: "An x." } } } }],
  });
  expect(texts).toEqual({
    there: "There",
    "commands.a.b.title": "Do It",
    "views.v.v.x.name": "Things",
    "chatParticipants.p.description": "Helps.",
  });
});

test("an option of Toolwright is a setting of the user or the machine, which no folder can change", () => {
  const settings = partOf(manifest["contributes"], "configuration");
  const properties = Object.assign(
    {},
    ...(Array.isArray(settings) ? settings.map((section) => partOf(section, "properties")) : []),
  );
  expect(properties["toolwright.mode"]).toMatchObject({ scope: "application", default: null });
  expect(properties["toolwright.maxCost"]).toMatchObject({ type: ["number", "null"], minimum: 0.01 });
  for (const name of ["toolwright.node", "toolwright.attach", ...Object.keys(settingProperties())])
    expect([name, ["machine", "application"].includes(String(partOf(properties[name], "scope")))]).toEqual([
      name,
      true,
    ]);
});

test("the version is that of the project, and nothing of the build is in it", () => {
  expect(manifest["version"]).toBe("1.2.3");
  expect(manifest["devDependencies"]).toBeUndefined();
});

function partOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

function commandsIn(value: unknown, key: string): string[] {
  const list = partOf(value, key);
  return Array.isArray(list) ? list.map((one) => String(partOf(one, "command"))) : [];
}
