/** Says what went wrong at a PostgreSQL server, and whether trying again can help. */

import { isObject } from "../../base/json.ts";
import { StoreError } from "../store.ts";

/** By SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html): whole codes, then their classes. */
const advice: ReadonlyMap<string, string> = new Map([
  [
    "28P01",
    "refuses this login. Check the user, and the password in its address, in PGPASSWORD or in ~/.pgpass.",
  ],
  [
    "28",
    "refuses this login. Check the user in its address, and who may connect in the server's pg_hba.conf.",
  ],
  ["3D000", "does not exist. Create it with createdb, or name another one."],
  [
    "42501",
    "may not be changed by this user. Grant it the rights on the schema toolwright, or connect as its owner.",
  ],
  ["25006", "may only be read: its server is a standby, or set to read-only. Connect to the primary one."],
  ["53100", "cannot grow: the disk of its server is full. Free some space there, then try again."],
  ["53300", "takes no more connections. Close other programs, or raise max_connections of its server."],
  ["53", "has a server that is short of resources. Close other programs there, then try again."],
  ["54", "does not take a value of that size. Make the request smaller."],
  ["55P03", "is locked by another program. Close that program, or try again in a moment."],
  ["57014", "took too long to answer. Try again in a moment, or look what keeps its server busy."],
  ["XX", "is damaged; it was left as it is. Restore a backup of it."],
  ["58", "could not be read or written by its server. Check the disk there, then try again."],
]);

/** A table, column or row is not as this program leaves it. */
const oddAdvice =
  "has been changed by another program; it was left as it is. Restore a backup of it, or name another database.";

const goneAdvice =
  "does not answer. Start its server or check its address, then try again: what was stored is safe.";

/** Certificates that Node does not accept (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const certificate = /CERT|SIGNATURE|ISSUER/u;

/** Turns what a person can act on into a StoreError; leaves everything else as it is. */
export function serverError(name: string, error: unknown): unknown {
  if (error instanceof StoreError) return error;
  const words = wordsFor(error);
  return words === undefined
    ? error
    : new StoreError(`The session database ${name} ${words}`, { cause: error });
}

function wordsFor(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  if (/does not support SSL/u.test(message))
    return "offers no encryption. Set that up on its server, or add ?sslmode=disable if you trust the network.";
  if (/password must be a/u.test(message)) return advice.get("28P01");
  if (isLost(error)) return goneAdvice;
  const code = codeOf(error);
  if (certificate.test(code))
    return `has a certificate that cannot be checked (${code}). Name its authority with ?sslrootcert=FILE.`;
  if (!isState(error)) return undefined;
  return advice.get(code) ?? advice.get(code.slice(0, 2)) ?? oddAdvice;
}

/** The connection broke, or there was none: the outcome of what was being done is unknown. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (isState(error)) return /^(?:08|57P0[1-5])/u.test(code);
  return lostCodes.has(code) || lostWords.test(error.message);
}

const lostCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT", // the server's socket
]);

/** The driver's own errors have no code. */
const lostWords =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (?:has encountered a connection error|was closed))/u;

/** Rolled back for the sake of another transaction, or before it got a lock: it may simply be made again. */
export const isRolledBack = (error: unknown): boolean =>
  isState(error) && ["40001", "40P01", "55P03"].includes(codeOf(error));

/** The table is not there. */
export const isMissing = (error: unknown): boolean => isState(error) && codeOf(error) === "42P01";

/** Whether the server itself reported it. */
const isState = (error: unknown): boolean =>
  isObject(error) && "severity" in error && /^[0-9A-Z]{5}$/u.test(codeOf(error));

const codeOf = (error: unknown): string =>
  isObject(error) && typeof error["code"] === "string" ? error["code"] : "";
