/** A refused request: a code for programs; for people, what happened and what to do next. */

export type GatewayRefusal = { status: RefusalStatus; code: string; message: string };
type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 429 | 431 | 500 | 503;

export const refusal = (status: RefusalStatus, code: string, message: string): GatewayRefusal => ({
  status,
  code,
  message: inShort(message),
});

/** The supported methods; all others are refused. */
export const methods: readonly string[] = ["GET", "POST", "DELETE"];

/** Length limit of a message to a client, since it may quote the client's input. */
const mostSaid = 2_000;

export const inShort = (message: string): string =>
  message.length <= mostSaid ? message : `${message.slice(0, mostSaid).toWellFormed()}…`;

/** The body of the reply: the API's `problem`. */
export const refusalBody = ({ code, message }: GatewayRefusal): string =>
  JSON.stringify({ error: { code, message } });
