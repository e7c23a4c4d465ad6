/** Names of files with the secrets of an environment: one list for the file tools, the judge and the sandbox. */

/** `*` matches any letters. A directory with such a name counts with all that is in it. */
export const environmentNames: readonly string[] = [
  ".env",
  ...[".", "-", "_", "~", " "].map((mark) => `.env${mark}*`),
  "*.env",
];

/** Words of a name that says it is a template: `.env.example`, `sample.env`. */
export const templateWords: readonly string[] = ["example", "sample", "template", "dist", "schema"];

const isTemplate = new RegExp(
  String.raw`[._-](?:${templateWords.join("|")})$|^(?:${templateWords.join("|")})\.env$`,
  "u",
);

/** Whether a file or directory usually holds secrets: `.env` with any suffix, `prod.env`, but not the templates. */
export function isEnvironmentFile(name: string): boolean {
  const plain = name.toLowerCase();
  return (plain === ".envrc" || /^\.env(?:$|[._~ -])|\.env$/u.test(plain)) && !isTemplate.test(plain);
}
