/**
 * Caches the compiled code of the build's chunks between runs. V8 compiles a function on its first call, but Node's own
 * cache is filled before any call; this one is filled when the process ends. Written in old syntax, as the entry is.
 */

import { Module } from "node:module";
import type { Script } from "node:vm";

/** The header of a cache file: a hash over the rest, the time of the next renewal, and the number of renewals. */
const hashBytes = 32;
const headBytes = hashBytes + 16;
const firstAgeMs = 10_000;
/** A file not renewed for this long belongs to an earlier build, or is cheap to recreate. */
const keptMs = 30 * 24 * 3_600_000;
/** A long-running process writes its cache early: V8 discards code that has not been called for long. */
const longRunMs = 10_000;

type CachedCode = { code: Buffer; due: number; times: number };
type Renewal = { file: string; script: Script; times: number };
/** The signature that `Module.wrap` produces. */
type ChunkFunction = (
  exports: unknown,
  require: (name: string) => unknown,
  module: NodeModule,
  filename: string,
  directory: string,
) => void;

/** Loaded on demand: `--version` needs neither. */
const crypto = () => process.getBuiltinModule("node:crypto");
const fs = () => process.getBuiltinModule("node:fs");
const path = () => process.getBuiltinModule("node:path");
const vm = () => process.getBuiltinModule("node:vm");

/**
 * Loads the .cjs files in `chunks` with compiled code from `directory`, one cache file each. A file is valid only for
 * one content and one Node: chunk names contain a content hash, the directory belongs to the Node version, and V8
 * rejects code compiled with other flags. Unreadable or unwritable files are ignored.
 */
export function keepCompiled(directory: string, chunks: string): void {
  const place = path().join(directory, process.version + "-" + process.arch);
  const renewals: Renewal[] = [];
  const { extensions } = Module.createRequire(chunks);
  const byNode = extensions[".js"];
  extensions[".cjs"] = (module, filename): void => {
    if (path().dirname(filename) === chunks) loadChunk(module, filename, { place, renewals });
    else byNode(module, filename);
  };
  const renew = (): void => renewals.splice(0).forEach(write);
  process.on("exit", renew);
  setTimeout(renew, longRunMs).unref();
}

type CodeCache = { place: string; renewals: Renewal[] };

function loadChunk(module: NodeModule, filename: string, { place, renewals }: CodeCache): void {
  const file = path().join(place, path().basename(filename) + ".bin");
  const kept = readKept(file);
  const script = compile(filename, kept);
  if (!kept || kept.due < Date.now()) renewals.push({ file, script, times: kept ? kept.times : 0 });
  const run: ChunkFunction = script.runInThisContext();
  const load = (name: string): unknown => module.require(name);
  run.call(module.exports, module.exports, load, module, filename, path().dirname(filename));
}

/** The build's code is pure ASCII, and reading it as Latin-1 is faster. */
function compile(filename: string, kept: CachedCode | undefined): Script {
  return new (vm().Script)(Module.wrap(fs().readFileSync(filename, "latin1")), {
    filename,
    cachedData: kept ? kept.code : undefined,
  });
}

function readKept(file: string): CachedCode | undefined {
  try {
    const whole = fs().readFileSync(file);
    const rest = whole.subarray(hashBytes);
    if (!hashOf(rest).equals(whole.subarray(0, hashBytes))) return undefined;
    return {
      due: whole.readDoubleLE(hashBytes),
      times: whole.readDoubleLE(hashBytes + 8),
      code: whole.subarray(headBytes),
    };
  } catch {
    return undefined;
  }
}

/** Doubles the interval each time: the first runs differ most, and a renewal costs as much time as it saves. */
function write({ file, script, times }: Renewal): void {
  const code = script.createCachedData();
  const whole = Buffer.alloc(headBytes + code.length);
  whole.writeDoubleLE(Date.now() + firstAgeMs * Math.pow(2, times), hashBytes);
  whole.writeDoubleLE(times + 1, hashBytes + 8);
  code.copy(whole, headBytes);
  hashOf(whole.subarray(hashBytes)).copy(whole);
  const place = path().dirname(file);
  const unfinished = file + "." + process.pid;
  try {
    makeDirectory(place);
    fs().writeFileSync(unfinished, whole, { mode: 0o600 });
    fs().renameSync(unfinished, file);
    removeOld(place);
  } catch {
    discard(unfinished); // a full or read-only disk: the next run compiles again
  }
}

/** On a full disk a truncated file would only take more space. */
function discard(unfinished: string): void {
  try {
    fs().unlinkSync(unfinished);
  } catch {
    // it never existed
  }
}

/** Node's own recursive mkdir never returns below /proc. */
function makeDirectory(place: string): void {
  if (fs().existsSync(place)) return;
  makeDirectory(path().dirname(place));
  fs().mkdirSync(place, { mode: 0o700 });
}

function removeOld(place: string): void {
  fs()
    .readdirSync(place)
    .map((name) => path().join(place, name))
    .filter((file) => fs().statSync(file).mtimeMs < Date.now() - keptMs)
    .forEach((file) => fs().unlinkSync(file));
}

const hashOf = (bytes: Uint8Array): Buffer => crypto().createHash("sha256").update(bytes).digest();
