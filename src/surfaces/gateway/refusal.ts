/** A request that is not done: for programs a code, for people what happened and what to do next. */

export type Refusal = { status: RefusalStatus; code: string; message: string };
type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 429 | 431 | 500 | 503;

export const refusal = (status: RefusalStatus, code: string, message: string): Refusal => ({
  status,
  code,
  message: inShort(message),
});

/** What is asked for with; all else is refused. */
export const methods: readonly string[] = ["GET", "POST", "DELETE"];

/** Characters of a message to a client, which may have its own words in it. */
const mostSaid = 2_000;

export const inShort = (message: string): string =>
  message.length <= mostSaid ? message : `${message.slice(0, mostSaid).toWellFormed()}…`;

/** The body of the reply: the `problem` of the API. */
export const refusalBody = ({ code, message }: Refusal): string =>
  JSON.stringify({ error: { code, message } });
