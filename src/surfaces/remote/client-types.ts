/** What the client's methods take and give, read off the table of routes. */

import type * as z from "zod/mini";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { routes } from "./api.ts";

type Routes = typeof routes;

/** "/sessions/:id/results/:callId" takes `id, callId`. */
type PathArguments<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? [...Named<Name>, ...PathArguments<`/${Rest}`>]
  : Path extends `${string}/:${infer Name}`
    ? Named<Name>
    : [];
type Named<Name extends string> = Name extends "callId" ? [callId: string] : [id: string];

/** A query is text on its way; numbers are written for you. */
type Query<Fields> = { [Key in keyof Fields]: Fields[Key] | number };

type Payload<R> = R extends { body: { schema: infer Schema extends z.ZodMiniType } }
  ? [body: z.input<Schema>]
  : R extends { body: { stream: string } }
    ? [body: Streamed]
    : R extends { query: infer Schema extends z.ZodMiniType }
      ? [query?: Query<z.input<Schema>>]
      : [];

/** A body that is sent as it is. */
export type Streamed = string | Uint8Array | Blob | AsyncIterable<Uint8Array>;

/** How one request is asked. */
export type AskOptions = { signal?: AbortSignal };

type Arguments<R extends { path: string }> = [
  ...PathArguments<R["path"]>,
  ...Payload<R>,
  options?: AskOptions,
];

type Replies<R> = R extends { replies: infer All } ? All[keyof All] : never;

type Value<Reply> = Reply extends { stream: `text/plain${string}` }
  ? string
  : Reply extends { schema: infer Schema extends z.ZodMiniType }
    ? z.output<Schema>
    : undefined;

/** Streams begin when they are read, and throw then. */
type Given<Reply> = Reply extends { stream: "text/event-stream" }
  ? AsyncIterable<Entry | Signal>
  : Reply extends { stream: "application/x-ndjson" }
    ? AsyncIterable<Uint8Array>
    : Promise<Value<Reply>>;

type Distributed<R> = [Replies<R>] extends [{ stream: string }]
  ? Given<Replies<R>>
  : Promise<Value<Replies<R>>>;

/** A method for each route: what stands in its path, then its body or query. All of them reject with GatewayError. */
export type Methods = {
  readonly [Name in keyof Routes]: (...given: Arguments<Routes[Name]>) => Distributed<Routes[Name]>;
};
