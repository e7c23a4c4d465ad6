/** Packs a small extension, written in a test, as VS Code installs it: a .vsix is a zip with two descriptions of it. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";

/** Its package.json; whatever VS Code allows there may follow. */
export type Manifest = { name: string; publisher: string; version: string; [more: string]: unknown };

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="json" ContentType="application/json"/>
  <Default Extension="vsixmanifest" ContentType="text/xml"/>
  <Default Extension="js" ContentType="application/javascript"/>
</Types>`;

const described = ({ name, publisher, version }: Manifest): string => `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata><Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/></Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>`;

/** Returns the file, made in `directory`. Keys of `files` are paths below the extension. */
export async function packVsix(
  directory: string,
  manifest: Manifest,
  files: Record<string, string>,
): Promise<string> {
  const inside = Object.entries({ "package.json": JSON.stringify(manifest), ...files });
  const entries = {
    "[Content_Types].xml": contentTypes,
    "extension.vsixmanifest": described(manifest),
    ...Object.fromEntries(inside.map(([path, text]) => [`extension/${path}`, text])),
  };
  const packed = zipSync(
    Object.fromEntries(Object.entries(entries).map(([path, text]) => [path, strToU8(text)])),
  );
  const vsix = join(directory, `${manifest.publisher}.${manifest.name}-${manifest.version}.vsix`);
  await writeFile(vsix, packed);
  return vsix;
}
