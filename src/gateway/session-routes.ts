/** Routes about sessions: list, read, command, create, export and import. */

import { type HostedRow, NoSuchSession } from "../hosting/session-host.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { ContentPart } from "../protocol/messages.ts";
import type { SessionValue } from "../remote/api-values.ts";
import type { routes } from "../remote/api.ts";
import { piecesOf, tooLargeFor } from "./body.ts";
import { gatewayBounds } from "./bounds.ts";
import type { Bearer } from "./devices.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { inShort, type GatewayRefusal, refusal } from "./refusal.ts";
import { badRequest, type RouteHandler } from "./route.ts";
import { wholeNumber } from "./whole-number.ts";

type SessionRoutes = typeof routes;
const { listEntries, bodyBytes } = gatewayBounds;
const usuallyListed = 50;

export function sessionRoutes(gateway: GatewayContext) {
  const { host } = gateway;
  const sessions: RouteHandler<SessionRoutes["sessions"]> = async ({
    query: { search, parent, after, limit: asked },
  }) => {
    const limit = wholeNumber("limit", asked, { from: 1, to: listEntries.most, otherwise: usuallyListed });
    if (!limit.ok) return badRequest(limit.problem);
    const which = {
      search,
      parent,
      after,
      unfinished: search === undefined && parent === undefined && after === undefined,
    };
    const page = await host.rows({ limit: limit.value, ...which });
    return { status: 200, value: { sessions: page.sessions.map(sessionValue), more: page.more } };
  };
  const create: RouteHandler<SessionRoutes["create"]> = async ({
    body: { content, ...which },
    bodyBytes: bytes,
  }) => {
    if (gateway.isStopping()) return { refused: stopping };
    if (isTooLarge(bytes, content)) return { refused: tooLargeFor(bodyBytes) };
    const made = await host.create(which);
    if (!made.ok) return badRequest(made.problem);
    const begun =
      content === undefined ? { ok: true as const } : await begin(gateway, made.value.id, content);
    if (!begun.ok) return conflict(begun.problem);
    return { status: 201, value: sessionValue((await host.row(made.value.id)) ?? made.value) };
  };
  const session: RouteHandler<SessionRoutes["session"]> = async ({ id }) => {
    const row = await host.row(id);
    return row ? { status: 200, value: sessionValue(row) } : { refused: noSuchSession(id) };
  };
  const remove: RouteHandler<SessionRoutes["remove"]> = async ({ id }) => {
    const removed = await host.remove(id);
    return removed.ok ? { status: 204 } : conflict(removed.problem);
  };
  const lending = { lendToolServers: lendToolServers(gateway) };
  return {
    sessions,
    create,
    session,
    remove,
    ...sharingRoutes(gateway),
    ...lending,
    ...commandRoute(gateway),
    ...copyRoutes(gateway),
  };
}

function sharingRoutes({ host }: GatewayContext) {
  const sharing: RouteHandler<SessionRoutes["sharing"]> = async ({ id }) => {
    if (!(await host.row(id))) return { refused: noSuchSession(id) };
    const found = await host.sharing(id);
    const shares = [...(found?.shared ?? [])].map(([other, right]) => ({ ...personIn(other), right }));
    return { status: 200, value: { ...personIn(found?.person ?? ""), shares } };
  };
  const share: RouteHandler<SessionRoutes["share"]> = async ({ id, body: { person = "", right } }) => {
    if (!(await host.row(id))) return { refused: noSuchSession(id) };
    const shared = await host.share(id, person, right);
    return shared.ok ? { status: 204 } : conflict(shared.problem);
  };
  return { sharing, share };
}

/** Empty: everybody, or nobody. */
const personIn = (person: string): { person?: string } => (person === "" ? {} : { person });

/** Sends the first message; if it is refused or fails, the session is deleted. */
async function begin(gateway: GatewayContext, id: string, content: ContentPart[]): Promise<CommandOutcome> {
  let outcome: CommandOutcome | undefined;
  try {
    outcome = await carriedOut(gateway, id, { type: "send", content });
    return outcome;
  } finally {
    if (!outcome?.ok) await gateway.host.remove(id);
  }
}

function commandRoute(gateway: GatewayContext) {
  const command: RouteHandler<SessionRoutes["command"]> = async ({ id, body, bodyBytes: bytes, bearer }) => {
    const content = body.type === "send" ? body.content : [];
    if (isTooLarge(bytes, content)) return { refused: tooLargeFor(bodyBytes) };
    if (gateway.isStopping() && body.type === "send") return { refused: stopping };
    const value = await carriedOut(gateway, id, withSender(body, bearer));
    return { status: value.ok ? 200 : 409, value };
  };
  return { command };
}

/** A page has no servers: whoever signed in on a phone is not to bring any along. */
const lendToolServers =
  (gateway: GatewayContext): RouteHandler<SessionRoutes["lendToolServers"]> =>
  async ({ body: { workspace, servers }, bearer }) => {
    if (bearer?.type === "device") return { refused: notForBrowsers };
    const { host } = gateway;
    const lent = await host.lendIn(workspace ?? host.workspace, servers);
    return lent.ok ? { status: 204 } : badRequest(lent.problem);
  };

const notForBrowsers = refusal(
  403,
  "not-for-browsers",
  "Only programs with the gateway's token lend servers.",
);

/** Only images may exceed the general size limit. */
const isTooLarge = (bytes: number, content: readonly ContentPart[] = []): boolean =>
  bytes > bodyBytes.most && !content.some(({ type }) => type === "image");

/** A stop tells who asked for it: a signed-in browser always itself, a program whom it names. */
export function withSender(command: Command, sender: Bearer | undefined): Command {
  if (command.type !== "interrupt") return command;
  const { device: _, ...told } = command;
  return sender?.type === "device" ? { ...told, by: sender.name, device: sender.id } : told;
}

/** Carries out a command, for requests and frames alike. Throws NoSuchSession. */
export async function carriedOut({ host, counts }: GatewayContext, id: string, command: Command) {
  const outcome = await host.command(id, command);
  counts.one("commands_total", { type: command.type, outcome: outcome.ok ? "taken" : "refused" });
  return outcome.ok ? outcome : { ...outcome, problem: inShort(outcome.problem) };
}

function copyRoutes(gateway: GatewayContext) {
  const { host } = gateway;
  const fork: RouteHandler<SessionRoutes["fork"]> = async ({ id, body }) => {
    if (gateway.isStopping()) return { refused: stopping };
    const forked = await host.fork(id, body.beforeTurn);
    if (!forked.ok) return conflict(forked.problem);
    return { status: 201, value: { session: sessionValue(forked.value) } };
  };
  const importing: RouteHandler<SessionRoutes["import"]> = async ({ request }) => {
    if (gateway.isStopping()) return { refused: stopping };
    const imported = await host.import(piecesOf(request));
    if (!imported.ok) return badRequest(`What was sent cannot be imported: ${imported.problem}.`);
    const { id, was, closed } = imported.value;
    const row = await host.row(id);
    if (!row) throw new NoSuchSession(`Session ${id} was deleted in the moment in which it was imported.`);
    return { status: 201, value: { session: sessionValue(row), was: was.id, closed } };
  };
  const exporting: RouteHandler<SessionRoutes["export"]> = ({ id }) => ({
    status: 200,
    pieces: host.export(id),
  });
  return { fork, import: importing, export: exporting };
}

/** The public form of a row: without the holder's process data, which `heldBy` gives in words. */
export function sessionValue(row: HostedRow): SessionValue {
  const value: SessionValue & Pick<HostedRow, "holder"> = { ...row };
  delete value.holder;
  return value;
}

const stopping = refusal(
  503,
  "stopping",
  "The gateway is about to stop and takes nothing new. Try again when it runs again.",
);

export const noSuchSession = (id: string): GatewayRefusal =>
  refusal(404, "no-such-session", `There is no session ${id}. GET /sessions lists those that there are.`);

export const conflict = (problem: string) => ({ refused: refusal(409, "refused", problem) });
