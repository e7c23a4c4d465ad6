/** Obtains this browser's key: from the address's one-time code, or from an earlier sign-in in any tab. */

import { GatewayError } from "../../remote/gateway-error.ts";
import { codeIn } from "./route.ts";

const keyName = "toolwright-key";

/** The browser features needed for signing in. `storage` is shared by the tabs of the gateway's origin. */
type SignInContext = {
  hash: string;
  storage: Pick<Storage, "getItem" | "setItem">;
  /** `has`: the key from before, which a signed-in browser keeps. */
  exchange: (given: { code: string; has?: string }) => Promise<{ token: string }>;
  /** Removes the code from the address and the history. */
  forget: () => void;
};

type SignInResult = { type: "token"; token: string } | { type: "none"; because: string };

export async function signIn({ hash, storage, exchange, forget }: SignInContext): Promise<SignInResult> {
  const code = codeIn(hash);
  const known = keptKey(storage);
  if (code === undefined)
    return known === undefined
      ? { type: "none", because: "This address contains no sign-in code." }
      : { type: "token", token: known };
  forget();
  try {
    const { token } = await exchange(known === undefined ? { code } : { code, has: known });
    keep(storage, token);
    return { type: "token", token };
  } catch (error) {
    // A reloaded old link is still signed in from before.
    if (known !== undefined) return { type: "token", token: known };
    return { type: "none", because: wordsOf(error) };
  }
}

/** A refused key stays: it is worth nothing, and the reason is told again when the page is reloaded. */
export const keptKey = (storage: Pick<Storage, "getItem">): string | undefined =>
  storage.getItem(keyName) ?? undefined;

/** The id by which the gateway knows the browser that has this key. */
export const deviceOf = (key: string): string | undefined => /^device-([0-9a-f]+)-/u.exec(key)?.[1];

/** Whether another tab has just stored a key. */
export const tellsOfSignIn = ({ key, newValue }: Pick<StorageEvent, "key" | "newValue">): boolean =>
  key === keyName && newValue !== null;

/** In a storage that is full or forbidden the key is not kept: only this page is signed in. */
function keep(storage: Pick<Storage, "setItem">, token: string): void {
  try {
    storage.setItem(keyName, token);
  } catch {
    return;
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof GatewayError && error.status > 0) return `The link was not accepted: ${error.message}`;
  return "The gateway did not answer. Is it still running?";
}
