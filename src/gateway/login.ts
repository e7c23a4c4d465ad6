/**
 * Logging in with an identity provider: OpenID Connect's authorization code flow with PKCE. What belongs to one attempt
 * is in a cookie of its browser, so that any gateway can end what another one began, and no other browser can: nobody is
 * to be logged in as somebody else by a link.
 */

import type { Configuration } from "openid-client";
import { randomHex } from "../base/crypto.ts";
import { errorMessage, type Expected, refuse } from "../base/expected.ts";
import { isObject, parseJson } from "../base/json.ts";
import type { People } from "../hosting/people/people.ts";
import { strictHeaders } from "./strict-headers.ts";

/** `issuer`: the provider's address; `client`: as which the gateway is registered there. */
export type LoginSetup = { issuer: string; client: string; secret?: string | undefined };

type GatewayLogin = {
  setup: LoginSetup;
  people: People;
  /** How browsers reach the gateway: "https://box.example". */
  origin: () => string;
  log: (line: string) => void;
};

const loginPath = "/login";
const donePath = "/login/done";
/** Paths that need no token. Without a provider the first one says that there is none. */
export const loginPaths = (setup: LoginSetup | undefined): readonly string[] =>
  setup ? [loginPath, donePath] : [loginPath];

/** Time for one login, in seconds. */
const attemptSeconds = 600;

type Attempt = { state: string; nonce: string; verifier: string };

/** Of the browser that has just ended its login. */
const browserForm = /^[0-9a-f]{32}$/u;
const browserBytes = 16;

/** The browser that a login ended in, by its cookies; empty if it is none. */
export function browserIn(origin: string, cookies: string): string {
  const value = cookieIn(origin, cookies);
  return browserForm.test(value) ? value : "";
}

/** Replies to a GET of one of the paths. */
export function loginReplies(context: GatewayLogin): (request: Request) => Promise<Response> {
  let known: Promise<Configuration> | undefined;
  const provider = async (): Promise<Configuration> => {
    known ??= discoverProvider(context.setup);
    known.catch(() => (known = undefined)); // it may be reached the next time
    return known;
  };
  return async (request) => {
    const isEnd = new URL(request.url).pathname !== loginPath;
    try {
      return await (isEnd ? end(context, provider, request) : begin(context, await provider()));
    } catch (error) {
      context.log(`a login failed: ${errorMessage(error)}`);
      // Beginning one is no attempt yet.
      if (isEnd) await context.people.noteRefusedLogin("", errorMessage(error)).catch(() => undefined);
      return refusal(
        "The login did not work. Try it again, or ask whoever runs this server: its log says why.",
      );
    }
  };
}

/** Loaded with the first login only. */
const library = () => import("openid-client");

async function discoverProvider({ issuer, client, secret }: LoginSetup): Promise<Configuration> {
  const { allowInsecureRequests, discovery, None } = await library();
  const url = new URL(issuer);
  const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  return discovery(url, client, undefined, secret === undefined ? None() : await secretSent(secret), {
    execute: isHere ? [allowInsecureRequests] : [],
  });
}

const secretSent = async (secret: string) => (await library()).ClientSecretBasic(secret);

async function begin({ origin }: GatewayLogin, provider: Configuration): Promise<Response> {
  const {
    buildAuthorizationUrl,
    calculatePKCECodeChallenge,
    randomNonce,
    randomPKCECodeVerifier,
    randomState,
  } = await library();
  const attempt: Attempt = {
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
  };
  const url = buildAuthorizationUrl(provider, {
    redirect_uri: origin() + donePath,
    scope: "openid email",
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: "S256",
  });
  const value = Buffer.from(JSON.stringify(attempt)).toString("base64url");
  return sentTo(url.href, cookieOf(origin(), value));
}

async function end(
  { origin, people }: GatewayLogin,
  provider: () => Promise<Configuration>,
  request: Request,
): Promise<Response> {
  const attempt = attemptIn(cookieIn(origin(), request.headers.get("cookie") ?? ""));
  if (!attempt) return refusal("This login was not begun in this browser, or took too long. Begin it again.");
  const address = new URL(origin() + donePath + new URL(request.url).search);
  const person = await personFor(people, await provider(), { attempt, address });
  if (!person.ok) return refusal(person.problem);
  const browser = randomHex(browserBytes);
  const code = await people.newCode(person.value, browser);
  return sentTo(`${origin()}/#code=${code}`, cookieOf(origin(), browser));
}

type LoginEnd = { attempt: Attempt; address: URL };

/** The person whom the provider has identified. */
async function personFor(
  people: People,
  provider: Configuration,
  { attempt, address }: LoginEnd,
): Promise<Expected<string>> {
  const { authorizationCodeGrant, fetchUserInfo } = await library();
  const tokens = await authorizationCodeGrant(provider, address, {
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    pkceCodeVerifier: attempt.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) return refuse("The identity provider did not say who you are.");
  const { email, email_verified: isVerified } =
    claims["email"] === undefined ? await fetchUserInfo(provider, tokens.access_token, claims.sub) : claims;
  if (typeof email !== "string" || isVerified !== true) {
    const problem = "The identity provider gave no verified e-mail address of yours.";
    await people.noteRefusedLogin(typeof email === "string" ? email : "", problem);
    return refuse(problem);
  }
  return people.identified(email, `${claims.iss} ${claims.sub}`);
}

/** With this prefix browsers take no such cookie from another name below the same domain. */
const cookieName = (origin: string): string =>
  origin.startsWith("https:") ? "__Host-toolwright-login" : "toolwright-login";

function cookieOf(origin: string, value: string): string {
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(origin)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${attemptSeconds}${secure}`;
}

function cookieIn(origin: string, cookies: string): string {
  const start = `${cookieName(origin)}=`;
  const all = cookies.split(";").map((cookie) => cookie.trim());
  return all.find((cookie) => cookie.startsWith(start))?.slice(start.length) ?? "";
}

function attemptIn(value: string): Attempt | undefined {
  const parsed = parseJson(Buffer.from(value, "base64url").toString());
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { state, nonce, verifier } = parsed.value;
  const isWhole = typeof state === "string" && typeof nonce === "string" && typeof verifier === "string";
  return isWhole ? { state, nonce, verifier } : undefined;
}

const sentTo = (location: string, cookie: string): Response =>
  new Response(null, { status: 302, headers: { ...strictHeaders, location, "set-cookie": cookie } });

/** For a person in front of a browser. */
const refusal = (words: string): Response =>
  new Response(`${words}\n`, {
    status: 403,
    headers: { ...strictHeaders, "content-type": "text/plain; charset=utf-8" },
  });
