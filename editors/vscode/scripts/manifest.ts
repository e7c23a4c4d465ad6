/** The manifest as it is packaged: ours, what each feature contributes, and a setting for each option of Toolwright. */

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isObject, type JsonObject } from "../../../src/base/json.ts";
import { settingProperties } from "./settings.ts";

const folder = join(import.meta.dirname, "..");

/** `version`: that of the whole project. */
export async function packagedManifest(version: string): Promise<JsonObject> {
  const { devDependencies: _, private: __, ...own } = await readJson(join(folder, "package.json"));
  const added = await contributions();
  const settings = { configuration: [{ title: "Options", properties: settingProperties() }] };
  const contributes = [...added, settings].reduce(merge, objectIn(own, "contributes"));
  return { ...own, version, type: "commonjs", files: ["**/*"], contributes };
}

/** Those of `contributes/*.json`, by name. */
async function contributions(): Promise<JsonObject[]> {
  const names = await readdir(join(folder, "contributes")).catch(() => []);
  const files = names.filter((name) => name.endsWith(".json")).toSorted();
  return Promise.all(files.map((name) => readJson(join(folder, "contributes", name))));
}

/** Lists follow each other, objects are joined key by key; a configuration may be one section or a list of them. */
function merge(one: JsonObject, other: JsonObject): JsonObject {
  const result = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = result[key];
    if (before === undefined) result[key] = value;
    else if (Array.isArray(before)) result[key] = [...before, ...(Array.isArray(value) ? value : [value])];
    else if (isObject(before) && isObject(value)) result[key] = merge(before, value);
    else throw new Error(`Two features contribute ${key}.`);
  }
  return result;
}

const objectIn = (object: JsonObject, key: string): JsonObject => {
  const value = object[key];
  return isObject(value) ? value : {};
};

async function readJson(path: string): Promise<JsonObject> {
  const value: JsonObject = JSON.parse(await readFile(path, "utf8"));
  return value;
}
