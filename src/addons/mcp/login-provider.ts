/** Gives the SDK its OAuth credentials: from the store, or through the browser if a person is logging in. */

import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { isOfTheWeb } from "./elsewhere.ts";
import type { Login, LoginStore } from "./login-store.ts";
import type { OAuthSettings } from "./settings.ts";

/** A login in progress: where the browser returns to, and how it is opened. */
export type LoggingIn = {
  redirectUrl: string;
  state: string;
  show(address: URL): void;
};

/** A login is required, but no person is there to complete it. */
export class LoginNeeded extends Error {}

/** With `loggingIn` the stored login is neither used nor replaced until the new one is complete. */
export function loginProvider(
  store: LoginStore,
  { oauth = {}, loggingIn }: { oauth?: OAuthSettings; loggingIn?: LoggingIn },
): OAuthClientProvider {
  let fresh: Login | undefined = loggingIn ? {} : undefined;
  let verifier = "";
  let discovered: OAuthDiscoveryState | undefined;
  const now = async (): Promise<Login> => fresh ?? (await store.read());
  const save = async (login: Login): Promise<void> => {
    if (fresh) fresh = login;
    if (!fresh || login.tokens) await store.write(login);
  };
  const redirectUrl = loggingIn?.redirectUrl ?? "http://127.0.0.1/callback";
  return {
    redirectUrl,
    clientMetadata: metadata(redirectUrl, oauth),
    ...(loggingIn ? { state: () => loggingIn.state } : {}),
    ...(registeredClient(oauth)
      ? {}
      : {
          saveClientInformation: async (client: StoredOAuthClientInformation) =>
            save({ ...(await now()), client }),
        }),
    async clientInformation() {
      const known = registeredClient(oauth) ?? (await now()).client;
      // Does not register a client for a login that cannot be completed.
      if (!known && !loggingIn) throw new LoginNeeded("it wants a login");
      return known;
    },
    tokens: async () => (await now()).tokens,
    saveTokens: async (tokens: StoredOAuthTokens) => save({ ...(await now()), tokens }),
    redirectToAuthorization: (address) => {
      if (!loggingIn) throw new LoginNeeded("it wants a login");
      if (!isOfTheWeb(address))
        throw new Error(`it sends the browser to ${address.protocol}//, which is none of http or https`);
      loggingIn.show(address);
    },
    saveCodeVerifier: (code) => void (verifier = code),
    codeVerifier: () => verifier,
    // The token must come from the service that the browser was sent to.
    saveDiscoveryState: (state) => void (discovered = state),
    discoveryState: () => discovered,
    async invalidateCredentials(scope) {
      const { tokens, client } = await now();
      if (scope === "tokens") await keep(client ? { client } : {});
      else if (scope === "client") await keep(tokens ? { tokens } : {});
      else if (scope === "all") await keep({});
      if (scope === "all" || scope === "discovery") discovered = undefined;
    },
  };

  async function keep(login: Login): Promise<void> {
    if (fresh) fresh = login;
    else await store.write(login);
  }
}

/** The client that a person registered by hand. */
const registeredClient = ({
  clientId,
  clientSecret,
}: OAuthSettings): StoredOAuthClientInformation | undefined =>
  clientId === undefined ? undefined : { client_id: clientId, client_secret: clientSecret };

const metadata = (redirectUrl: string, { scope, clientSecret }: OAuthSettings): OAuthClientMetadata => ({
  client_name: "Toolwright",
  redirect_uris: [redirectUrl],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: clientSecret === undefined ? "none" : "client_secret_post",
  scope,
});
