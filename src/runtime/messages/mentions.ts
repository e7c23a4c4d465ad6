/** Finds the files a message names: `@path`, `@"path with spaces"`, and paths of dropped images. Pure. */

/** `isSure`: the notation can only mean a file. */
export type Mention = { path: string; isSure: boolean };

/** Only this many are checked: a pasted text may be full of them. */
const mostMentions = 1_000;

/** In order of appearance, skipping fenced code blocks. */
export function mentionsIn(text: string): Mention[] {
  const found: Mention[] = [];
  for (const { groups = {} } of outsideFences(text).matchAll(mention)) {
    const { quoted, bare } = groups;
    if (quoted !== undefined) found.push({ path: quoted, isSure: true });
    else if (bare !== undefined) found.push({ path: bare, isSure: /^(?:\.{1,2}|~)\//u.test(bare) });
    if (found.length === mostMentions) break;
  }
  return found;
}

/** An `@` inside a word (an e-mail address) or a decorator is not a mention. */
const mention = /(?<=^|[\s([{<,;:])@(?:"(?<quoted>[^"\n]{1,4096})"|(?<bare>[^\s"'`@][^\s]{0,4095}))/gu;

/** The path, then the path without trailing punctuation that may only end the sentence. */
export function spellingsOf({ path }: Mention): string[] {
  const spellings = [path];
  for (let rest = path; spellings.length < mostSpellings; spellings.push(rest)) {
    const shorter = rest.replace(/[.,;:!?)\]}>'"*]$/u, "");
    if (shorter === rest || shorter === "") break;
    rest = shorter;
  }
  return spellings;
}

const mostSpellings = 8;

/** Full paths of images, as terminals insert them for a dropped file: quoted, with escaped spaces, or as a URL. */
export function droppedPictures(text: string): string[] {
  const found = [...outsideFences(text).matchAll(dropped)].slice(0, mostMentions);
  return found.map(({ groups: { quoted, single, bare } = {} }) => {
    if (quoted !== undefined || single !== undefined) return quoted ?? single ?? "";
    return (bare ?? "").replaceAll(/\\(.)/gu, "$1");
  });
}

const dropped = new RegExp(
  String.raw`(?<=^|\s)(?:"(?<quoted>(?:\/|~\/|file:\/\/)[^"\n]{1,4096}?\.(?:png|jpe?g|gif|webp))"` +
    String.raw`|'(?<single>(?:\/|~\/|file:\/\/)[^'\n]{1,4096}?\.(?:png|jpe?g|gif|webp))'` +
    String.raw`|(?<bare>(?:\/|~\/|file:\/\/)(?:\\.|[^\s\\"'])*?\.(?:png|jpe?g|gif|webp)))(?=$|[\s.,;:!?)])`,
  "giu",
);

const outsideFences = (text: string): string => {
  if (!text.includes("```")) return text;
  return text
    .split("```")
    .filter((_, at) => at % 2 === 0)
    .join("\n");
};
