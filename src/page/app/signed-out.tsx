/** The page without a valid key: explains what happened and how to sign in, and goes on once another tab has. */

import { useEffect } from "preact/hooks";
import { visibleText } from "../../view/visible.ts";
import { Mark } from "../sessions/mark.tsx";
import { tellsOfSignIn } from "./sign-in.ts";

export function SignedOut({ because }: { because: string }) {
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

/** What stands between backticks is a command. */
const withCode = (text: string) =>
  text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
