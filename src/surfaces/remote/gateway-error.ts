/** What can go wrong between a client and its gateway. */

/** What a gateway replies with when it refuses, as the code of its problem; and these, which are the client's own. */
export const clientCodes = {
  /** There was no reply: nobody answers there, or the connection broke. */
  unreachable: "unreachable",
  /** There was one that this client does not understand. */
  unreadable: "unreadable",
  /** The connection broke before it was told what came of a command. It was carried out or it was not. */
  outcomeUnknown: "outcome-unknown",
  /** A command that was not sent, so nothing came of it. */
  notSent: "not-sent",
  /** The connection was closed here. */
  closed: "closed",
} as const;

/** `status` is that of HTTP, and 0 where there was no reply; `code` is for programs, `message` for people. */
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

/** Whether a later try may fare better: nobody there, too busy, stopping, or broken in between. */
export const mayPass = (error: unknown): boolean =>
  error instanceof GatewayError && [0, 429, 500, 502, 503, 504].includes(error.status);
