/** What a client of the server may use, and its name. */

/** Undefined: not limited. Days and months are those of UTC. */
export type ClientLimits = {
  /** The names that it may ask for; `*` stands for anything. */
  models?: readonly string[] | undefined;
  requestsPerMinute?: number | undefined;
  /** Tokens of prompts and answers together. */
  tokensPerDay?: number | undefined;
  tokensPerMonth?: number | undefined;
  dollarsPerDay?: number | undefined;
  dollarsPerMonth?: number | undefined;
  /** Answers at the same time. */
  streams?: number | undefined;
};

export type LimitedClient = { name: string; limits: ClientLimits };

/** Who has the server's own token. */
export const ownerName = "owner";

/** Safe as a label of a metric and as a word on a command line. */
export const isClientName = (name: string): boolean =>
  /^[a-z0-9][a-z0-9._@-]{0,39}$/u.test(name) && name !== ownerName;

/** "20 requests a minute, $5 a day"; "none" without a limit. */
export function limitWords({ models, ...limits }: ClientLimits): string {
  const { requestsPerMinute, tokensPerDay, tokensPerMonth, dollarsPerDay, dollarsPerMonth, streams } = limits;
  const told: [number | undefined, (most: string) => string][] = [
    [requestsPerMinute, (most) => `${most} requests a minute`],
    [tokensPerDay, (most) => `${most} tokens a day`],
    [tokensPerMonth, (most) => `${most} tokens a month`],
    [dollarsPerDay, (most) => `$${most} a day`],
    [dollarsPerMonth, (most) => `$${most} a month`],
    [streams, (most) => `${most} answers at once`],
  ];
  const words = told.flatMap(([most, say]) => (most === undefined ? [] : [say(most.toLocaleString("en"))]));
  return [...(models ? [`models ${models.join(", ")}`] : []), ...words].join(", ") || "none";
}
