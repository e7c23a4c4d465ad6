/**
 * `npm run vscode`: builds the extension into `dist/extension` and packages it as `dist/toolwright-VERSION.vsix`, for this
 * platform. With `--unpacked` it only builds.
 */

import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundleExtension, bundleView } from "./scripts/bundles.ts";
import { carryCore } from "./scripts/carry-core.ts";
import { localised } from "./scripts/localised.ts";
import { packagedManifest } from "./scripts/manifest.ts";
import { withoutPictures } from "./scripts/readme.ts";
import { sourceStrings } from "./scripts/strings.ts";
import { carryWalkthrough } from "./scripts/walkthrough.ts";

const folder = import.meta.dirname;
const root = join(folder, "..", "..");
const target = join(folder, "dist", "extension");
const run = promisify(execFile);

await build();

async function build(): Promise<void> {
  const { version }: { version: string } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  await rm(target, { recursive: true, force: true });
  await mkdir(join(target, "l10n"), { recursive: true });
  await Promise.all([
    bundleExtension(join(target, "out")),
    bundleView(join(target, "webview")),
    carryCore(join(target, "core")),
    writeManifest(version),
    writeReadme(),
    carryWalkthrough(join(folder, "walkthrough"), join(target, "walkthrough")),
    writeJson(join("l10n", "bundle.l10n.json"), await sourceStrings(join(folder, "src"))),
    ...["CHANGELOG.md", "media", "l10n", "package.nls.de.json"].map((name) => carry(folder, name)),
    carry(root, "LICENSE"),
  ]);
  if (!process.argv.includes("--unpacked")) process.stdout.write(`${await packaged(version)}\n`);
}

async function writeManifest(version: string): Promise<void> {
  const own: Record<string, string> = JSON.parse(await readFile(join(folder, "package.nls.json"), "utf8"));
  const { manifest, texts } = localised(await packagedManifest(version), own);
  await writeJson("package.json", manifest);
  await writeJson("package.nls.json", texts);
}

async function writeReadme(): Promise<void> {
  const text = await readFile(join(folder, "README.md"), "utf8");
  await writeFile(join(target, "README.md"), withoutPictures(text));
}

function carry(from: string, name: string): Promise<void> {
  return cp(join(from, name), join(target, name), { recursive: true });
}

function writeJson(name: string, value: unknown): Promise<void> {
  return writeFile(join(target, name), `${JSON.stringify(value, undefined, 2)}\n`);
}

/** Warnings of the packager are errors here. */
async function packaged(version: string): Promise<string> {
  const file = join(folder, "dist", `toolwright-${version}.vsix`);
  const packager = join(folder, "node_modules", "@vscode", "vsce", "vsce");
  const platform = `${process.platform}-${process.arch}`;
  const { stdout, stderr } = await run(
    process.execPath,
    [
      packager,
      "package",
      "--target",
      platform,
      "--no-dependencies",
      "--allow-missing-repository",
      "--out",
      file,
    ],
    { cwd: target },
  );
  const warned = `${stdout}${stderr}`.split("\n").filter((line) => /warning/iu.test(line));
  if (warned.length > 0) throw new Error(`The packager warns:\n${stdout}${stderr}`);
  return file;
}
