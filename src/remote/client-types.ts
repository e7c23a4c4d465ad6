/** Argument and result types of the client's methods, derived from the route table. */

import type * as z from "zod/mini";
import type { Entry, Signal } from "../protocol/facts.ts";
import type { routes } from "./api.ts";

type RouteTable = typeof routes;

/** "/sessions/:id/results/:callId" takes `id, callId`. */
type PathArguments<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? [...PathArgument<Name>, ...PathArguments<`/${Rest}`>]
  : Path extends `${string}/:${infer Name}`
    ? PathArgument<Name>
    : [];
type PathArgument<Name extends string> = Name extends "callId" ? [callId: string] : [id: string];

/** Query values are sent as text; the client converts numbers. */
type Query<Fields> = { [Key in keyof Fields]: Fields[Key] | number };

type Payload<R> = R extends { body: { schema: infer Schema extends z.ZodMiniType } }
  ? [body: z.input<Schema>]
  : R extends { body: { stream: string } }
    ? [body: StreamedBody]
    : R extends { query: infer Schema extends z.ZodMiniType }
      ? [query?: Query<z.input<Schema>>]
      : [];

/** A body that is sent unchanged. @experimental */
export type StreamedBody = string | Uint8Array | Blob | AsyncIterable<Uint8Array>;

/** Options for a single request. @public */
export type RequestOptions = { signal?: AbortSignal };

type MethodArguments<R extends { path: string }> = [
  ...PathArguments<R["path"]>,
  ...Payload<R>,
  options?: RequestOptions,
];

type Replies<R> = R extends { replies: infer All } ? All[keyof All] : never;

type ReplyValue<Reply> = Reply extends { stream: `text/plain${string}` }
  ? string
  : Reply extends { schema: infer Schema extends z.ZodMiniType }
    ? z.output<Schema>
    : undefined;

/** A stream sends its request, and throws, only once it is read. */
type ReplyResult<Reply> = Reply extends { stream: "text/event-stream" }
  ? AsyncIterable<Entry | Signal>
  : Reply extends { stream: "application/x-ndjson" }
    ? AsyncIterable<Uint8Array>
    : Promise<ReplyValue<Reply>>;

type MethodResult<R> = [Replies<R>] extends [{ stream: string }]
  ? ReplyResult<Replies<R>>
  : Promise<ReplyValue<Replies<R>>>;

/**
 * One method per route: path parameters first, then the body or query. All of them reject with GatewayError. @public
 */
export type GatewayMethods = {
  readonly [Name in keyof RouteTable]: (
    ...given: MethodArguments<RouteTable[Name]>
  ) => MethodResult<RouteTable[Name]>;
};
