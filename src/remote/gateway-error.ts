/** Errors between a client and its gateway. */

/** A refusing gateway's error carries the code of its problem; these codes are the client's own. @public */
export const clientCodes = {
  /** No reply: the server cannot be reached, or the connection broke. */
  unreachable: "unreachable",
  /** The client could not interpret the reply. */
  unreadable: "unreadable",
  /** The connection broke before the outcome of a command arrived: it may or may not have been carried out. */
  outcomeUnknown: "outcome-unknown",
  /** The command was never sent, so it had no effect. */
  notSent: "not-sent",
  /** The client closed the connection. */
  closed: "closed",
} as const;

/** `status` is the HTTP status, or 0 without a reply; `code` is for programs, `message` for people. @public */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly status: number;
  readonly code: string;

  constructor(problem: { status?: number; code: string; message: string; cause?: unknown }) {
    super(problem.message, { cause: problem.cause });
    this.status = problem.status ?? 0;
    this.code = problem.code;
  }
}

/** Whether a retry may succeed: the gateway was unreachable, overloaded or stopping, or the connection broke. */
export const mayPass = (error: unknown): boolean =>
  error instanceof GatewayError && [0, 429, 500, 502, 503, 504].includes(error.status);
