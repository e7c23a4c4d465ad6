/** Public client of a gateway (`toolwright serve`): every endpoint, typed. Runs in Node and in browsers. */

export { connect, type Client, type ConnectOptions } from "./remote/client.ts";
export { clientCodes, GatewayError } from "./remote/gateway-error.ts";
export type { LiveConnection, LiveState, SessionList } from "./remote/live.ts";
export type { FollowOptions } from "./remote/followed-session.ts";
export type { SocketLike, SocketMaker } from "./remote/socket.ts";
export type { RequestOptions, GatewayMethods, StreamedBody } from "./remote/client-types.ts";
export type { SessionValue } from "./remote/api-values.ts";
export type { ContextValue, ReviewValue } from "./remote/api-reports.ts";
export type { Command, CommandOutcome } from "./protocol/commands.ts";
export type { Entry, Fact, FactOf, FactType, Mode, Signal } from "./protocol/facts.ts";
export { step } from "./protocol/fold.ts";
export { conversation, emptyState, type SessionState } from "./protocol/session-state.ts";
