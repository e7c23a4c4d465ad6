/** Obtains the page's token: from the address's one-time code, or from this tab's earlier sign-in. */

import { GatewayError } from "../../remote/gateway-error.ts";
import { codeIn } from "./route.ts";

const key = "toolwright-token";

/** The browser features needed for signing in. */
type SignInRoom = {
  hash: string;
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  exchange: (code: string) => Promise<{ token: string }>;
  /** Removes the code from the address and the history. */
  forget: () => void;
};

type SignedIn = { type: "token"; token: string } | { type: "none"; because: string };

export async function signIn({ hash, storage, exchange, forget }: SignInRoom): Promise<SignedIn> {
  const code = codeIn(hash);
  const known = storage.getItem(key);
  if (code === undefined)
    return known === null
      ? { type: "none", because: "This address contains no sign-in code." }
      : { type: "token", token: known };
  forget();
  try {
    const { token } = await exchange(code);
    storage.setItem(key, token);
    return { type: "token", token };
  } catch (error) {
    // A reloaded old link is still signed in from before.
    if (known !== null) return { type: "token", token: known };
    return { type: "none", because: wordsOf(error) };
  }
}

export const signOut = (storage: SignInRoom["storage"]): void => storage.removeItem(key);

function wordsOf(error: unknown): string {
  if (error instanceof GatewayError && error.status > 0) return `The link was not accepted: ${error.message}`;
  return "The gateway did not answer. Is it still running?";
}
