/** Which files a message names: `@path`, `@"path with spaces"`, and pictures whose path was dropped into it. Pure. */

/** `isSure`: it was written so that it can only be meant as a file. */
export type Mention = { path: string; isSure: boolean };

/** The first so many are looked at: a pasted text may be full of them. */
const mostMentions = 1_000;

/** In their order; what stands in a fenced block is code. */
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

/** An address or a decorator in the middle of a word is none. */
const mention = /(?<=^|[\s([{<,;:])@(?:"(?<quoted>[^"\n]{1,4096})"|(?<bare>[^\s"'`@][^\s]{0,4095}))/gu;

/** The path, and the same without what may only end the sentence. */
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

/**
 * Whole paths of pictures, as terminals write them when a file is dropped: in quotes, with escaped spaces, as a URL.
 */
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
