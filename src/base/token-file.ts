/** A secret in a file that only its owner can read: created on first use, unchanged from then on. */

import { constants } from "node:fs";
import { chmod, link, lstat, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { randomHex } from "./crypto.ts";
import { type Expected, errorMessage, refuse } from "./expected.ts";
import { makeDirectory } from "./safe-fs/own-files.ts";

/** 256 bits. */
const tokenBytes = 32;
const looksLikeToken = /^[0-9a-f]{64}$/;

/** `path` is absolute. A file that others can read, or that holds no token, is replaced and its content discarded. */
export async function openTokenFile(path: string): Promise<Expected<string>> {
  try {
    await makeDirectory(dirname(path), 0o700);
    return { ok: true, value: (await readToken(path)) ?? (await newToken(path)) };
  } catch (error) {
    const why = errorMessage(error);
    return refuse(`The token cannot be kept in ${path} (${why}): make that place writable.`);
  }
}

/** Returns `undefined` if there is no usable token. */
async function readToken(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  if (!file) return undefined;
  try {
    const { mode, uid, size } = await file.stat();
    const isOurs = process.getuid === undefined || uid === process.getuid();
    const isPrivate = process.platform === "win32" || (mode & 0o077) === 0;
    if (!isOurs || !isPrivate || size > 2 * tokenBytes + 1) return undefined;
    const text = (await file.readFile("utf8")).trim();
    return looksLikeToken.test(text) ? text : undefined;
  } finally {
    await file.close();
  }
}

/** Written completely before it appears: two processes that start at once must end up with the same token. */
async function newToken(path: string): Promise<string> {
  const token = randomHex(tokenBytes);
  const draft = `${path}.${randomHex(8)}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${token}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await chmod(draft, 0o600);
    return await settle(draft, path, token);
  } finally {
    await rm(draft, { force: true });
  }
}

async function settle(draft: string, path: string, token: string): Promise<string> {
  try {
    await link(draft, path);
    return token;
  } catch {
    // Another process was faster, the existing file is unusable, or the file system has no links.
  }
  const theirs = await readToken(path);
  if (theirs !== undefined) return theirs;
  await rename(draft, path);
  return (await readToken(path)) ?? token;
}
