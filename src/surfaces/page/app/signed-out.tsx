/** The page without a token: explains what happened and how to sign in. */

import { visibleText } from "../../view/visible.ts";
import { Mark } from "../sessions/mark.tsx";

export const SignedOut = ({ because }: { because: string }) => (
  <main class="signed-out">
    <div class="signed-out-card card">
      <Mark />
      <h1>Not signed in</h1>
      <p>{visibleText(because)}</p>
      <p>On the machine where the gateway runs, this prints a new link. It works once, within a minute:</p>
      <pre class="command">
        <code>toolwright serve link</code>
      </pre>
      <p class="muted">Each tab signs in separately and stays signed in until it is closed.</p>
    </div>
  </main>
);
