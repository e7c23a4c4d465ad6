/** The page without a valid key: explains what happened and how to sign in, and goes on once another tab has. */

import { useEffect, useState } from "preact/hooks";
import { visibleText } from "../../base/visible-text.ts";
import { Mark } from "../sessions/mark.tsx";
import { tellsOfSignIn } from "./sign-in.ts";

export function SignedOut({ because }: { because: string }) {
  const [login, setLogin] = useState(false);
  useEffect(() => void isLoginOffered().then(setLogin), []);
  useEffect(() => {
    const stored = (event: StorageEvent): void => {
      if (tellsOfSignIn(event)) location.reload();
    };
    addEventListener("storage", stored);
    return () => removeEventListener("storage", stored);
  }, []);
  return (
    <main class="signed-out">
      <div class="signed-out-card card">
        <Mark />
        <h1>Not signed in</h1>
        <p>{withCode(visibleText(because))}</p>
        {login && (
          <p>
            <a class="button" href="/login">
              Log in
            </a>
          </p>
        )}
        <p>
          On the machine where the gateway runs, this prints a new link. It works once, within ten minutes:
        </p>
        <pre class="command">
          <code>toolwright serve link</code>
        </pre>
        <p class="muted">Open it here or in another tab: it signs in this browser, until it is signed out.</p>
      </div>
    </main>
  );
}

/** Where people log in with an identity provider, the way there leads to it. */
const isLoginOffered = (): Promise<boolean> =>
  fetch("/login", { redirect: "manual" }).then(
    ({ type }) => type === "opaqueredirect",
    () => false,
  );

/** What stands between backticks is a command. */
const withCode = (text: string) =>
  text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
