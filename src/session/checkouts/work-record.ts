/** What a session's checkout holds beyond what it was made from, as one content that any machine can make it again from. */

import * as z from "zod/mini";
import { type Expected, refuse } from "../../base/expected.ts";
import { parseJson } from "../../base/json.ts";
import { checkoutBounds } from "./bounds.ts";
import type { CheckoutGit } from "./checkout-git.ts";

const hash = z.string().check(z.regex(/^[\da-f]{40,64}$/u));
/** What git takes for a name; that may have spaces of other scripts. */
const name = z.string().check(z.regex(/^(?:heads|tags)\/[^ \p{Cc}~^:?*[\\]+$/u));

const workSchema = z.object({
  /** The commit that the checkout was made from. */
  base: hash,
  /** What is checked out: `refs/heads/…`, or a commit. */
  head: z.union([hash, z.string().check(z.regex(/^refs\/heads\/[^ \p{Cc}~^:?*[\\]+$/u))]),
  /** A commit of all files as they stood, staged or not, behind what is checked out. */
  work: hash,
  /** Branches and tags, below `refs/`. */
  names: z.array(z.tuple([name, hash])),
});
export type CheckoutWork = z.infer<typeof workSchema>;

/** Of a checkout in which nothing was done yet. */
export const freshWork = (commit: string, branch: string): CheckoutWork => ({
  base: commit,
  head: `refs/heads/${branch}`,
  work: commit,
  names: [[`heads/${branch}`, commit]],
});

/** Where the state of a session's checkout is kept in the repository that it was made from. */
export const workReferences = (id: string): string => `refs/checkout-work/${id}`;

/** The work as references of the repository; what they lead to must be there. */
export async function putReferences(
  git: CheckoutGit,
  { repository, id }: { repository: string; id: string },
  { names, work }: CheckoutWork,
): Promise<Expected<string>> {
  const at = workReferences(id);
  const known = await git.here(repository, ["for-each-ref", "--format=delete %(refname)", at]);
  if (!known.ok) return known;
  const kept = new Set(names.map(([each]) => `${at}/${each}`)).add(`${at}/work`);
  const gone = known.value
    .split("\n")
    .filter((line) => line !== "" && !kept.has(line.slice("delete ".length)));
  const put = [...names, ["work", work]].map(([each, to]) => `update ${at}/${each} ${to}`);
  // One after the other: a name below one that goes cannot come in the same transaction.
  const dropped = await git.here(repository, ["update-ref", "--stdin"], { input: [...gone, ""].join("\n") });
  if (!dropped.ok) return dropped;
  return git.here(repository, ["update-ref", "--stdin"], { input: [...put, ""].join("\n") });
}

/** A line that tells what it is, then the objects that the base does not have. */
export async function packWork(
  git: CheckoutGit,
  repository: string,
  work: CheckoutWork,
): Promise<Expected<Uint8Array>> {
  const pieces: Buffer[] = [Buffer.from(`${JSON.stringify(work)}\n`)];
  const stop = new AbortController();
  let space = checkoutBounds.keptWork.most;
  const wanted = [...new Set([work.work, ...names(work)])];
  const packed = await git.here(
    repository,
    ["pack-objects", "--quiet", "--revs", "--thin", "--stdout", "--delta-base-offset"],
    {
      input: [...wanted, `^${work.base}`, ""].join("\n"),
      signal: stop.signal,
      onBytes(bytes) {
        space -= bytes.length;
        if (space < 0) stop.abort();
        else pieces.push(bytes);
      },
    },
  );
  if (space < 0) return refuse("the session's work is larger than what is stored of a checkout");
  return packed.ok ? { ok: true, value: Buffer.concat(pieces) } : packed;
}

const names = (work: CheckoutWork): string[] => work.names.map(([, to]) => to);

/** Puts the objects into the repository, which has the base. */
export async function unpackWork(
  git: CheckoutGit,
  repository: string,
  bytes: Uint8Array,
): Promise<Expected<CheckoutWork>> {
  const end = bytes.indexOf(0x0a);
  const parsed = parseJson(Buffer.from(bytes.subarray(0, Math.max(end, 0))).toString());
  const work = workSchema.safeParse(parsed.ok ? parsed.value : undefined);
  if (!work.success) return refuse("what was stored of it cannot be read");
  const input = bytes.subarray(end + 1);
  const unpacked = await git.here(repository, ["unpack-objects", "-q"], { input });
  return unpacked.ok ? { ok: true, value: work.data } : unpacked;
}
