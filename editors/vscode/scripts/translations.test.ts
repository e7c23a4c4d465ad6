/** Every word for people can be translated, and is: into each language that there is. */

import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { localised } from "./localised.ts";
import { packagedManifest } from "./manifest.ts";
import { sentencesIn, sourceStrings } from "./strings.ts";

type Texts = Readonly<Record<string, string>>;

const folder = join(import.meta.dirname, "..");
const read = async (name: string): Promise<Texts> => JSON.parse(await readFile(join(folder, name), "utf8"));
const translations = (await readdir(join(folder, "l10n"))).map((name) => name.split(".")[2] ?? "");
const contributed = localised(await packagedManifest("1.2.3"), await read("package.nls.json"));
const spoken = await sourceStrings(join(folder, "src"));

test("no sentence of a source is forgotten: it can be translated, or is English for models on purpose", async () => {
  const { forgotten } = await sentencesIn(join(folder, "src"));
  expect(forgotten).toEqual([]);
  expect(Object.keys(spoken).length).toBeGreaterThan(50);
});

test("what people read of the manifest is a reference to a text that can be translated", () => {
  const words = JSON.stringify(contributed.manifest["contributes"], (key, value: unknown) =>
    key === "inputSchema" ? undefined : value,
  );
  const plain = words.matchAll(
    /"(?:title|contents|markdown|fullName|displayName|(?:markdown|user)?[dD]escription)":"(?!%)([^"]+)"/gu,
  );
  expect([...plain].map(([, text]) => text)).toEqual([]);
});

test("German is there", () => expect(translations).toEqual(["de"]));

test.each(translations)(
  "the translation %s has every text, none for nothing, and what each refers to",
  async (language) => {
    for (const [texts, translated] of [
      [contributed.texts, await read(`package.nls.${language}.json`)],
      [spoken, await read(`l10n/bundle.l10n.${language}.json`)],
    ] as const) {
      expect(Object.keys(translated).toSorted()).toEqual(Object.keys(texts).toSorted());
      for (const [key, text] of Object.entries(texts))
        expect([key, fixedIn(translated[key] ?? "")]).toEqual([key, fixedIn(text)]);
    }
    const media = Object.entries(await read(`package.nls.${language}.json`)).filter(([key]) =>
      key.endsWith(".media"),
    );
    expect(media).toHaveLength(4);
    for (const [, file] of media) await access(join(folder, file));
  },
);

/** What a translation leaves as it is: placeholders, links to commands, code. */
const fixedIn = (text: string): string[] =>
  [...text.matchAll(/\{\d\}|\(command:[\w.]+\)|`[^`]+`/gu)].map(([fixed]) => fixed).toSorted();
