/**
 * The README as it is packaged: its pictures are in the text itself. VS Code shows no others but those of a public address,
 * and whoever installs a file is perhaps offline.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** `folder`: where the text's relative links begin. A picture that is missing is an error. */
export async function withPictures(text: string, folder: string): Promise<string> {
  const parts = text.split(/(?<=!\[[^\]]*\]\()([^)\s]+\.png)(?=\))/u);
  const filled = parts.map(async (part, at) =>
    at % 2 === 1 ? `data:image/png;base64,${await readFile(join(folder, part), "base64")}` : part,
  );
  return (await Promise.all(filled)).join("");
}
