/**
 * The walkthrough as it is packaged, with its pictures beside its texts: VS Code shows those of a walkthrough from the
 * package itself, unlike those of a README.
 */

import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

const picture = /(!\[[^\]]*\]\()([^)]+)\)/gu;

/** The paths of the pictures that a text shows, as it names them. */
export const picturesIn = (text: string): string[] =>
  [...text.matchAll(picture)].map(([, , path = ""]) => path);

export async function carryWalkthrough(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    const text = await readFile(join(from, name), "utf8");
    for (const path of picturesIn(text)) await cp(join(from, path), join(to, basename(path)));
    const beside = text.replaceAll(
      picture,
      (_, before: string, path: string) => `${before}${basename(path)})`,
    );
    await writeFile(join(to, name), beside);
  }
}
