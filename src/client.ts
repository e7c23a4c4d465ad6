/** Public client of a gateway (`toolwright serve`): every endpoint, typed. Runs in Node and in browsers. */

export { connect, type Client, type ConnectOptions } from "./surfaces/remote/client.ts";
export { clientCodes, GatewayError } from "./surfaces/remote/gateway-error.ts";
export type { LiveConnection, LiveState, SessionList } from "./surfaces/remote/live.ts";
export type { FollowOptions } from "./surfaces/remote/followed.ts";
export type { SocketLike, SocketMaker } from "./surfaces/remote/socket.ts";
export type { RequestOptions, GatewayMethods, StreamedBody } from "./surfaces/remote/client-types.ts";
export type { SessionValue } from "./surfaces/remote/api-values.ts";
export type { ContextValue, ReviewValue } from "./surfaces/remote/api-reports.ts";
export type { Command, CommandOutcome } from "./protocol/commands.ts";
export type { Entry, Fact, FactOf, FactType, Mode, Signal } from "./protocol/facts.ts";
export { step } from "./protocol/fold.ts";
export { conversation, emptyState, type SessionState } from "./protocol/session-state.ts";
