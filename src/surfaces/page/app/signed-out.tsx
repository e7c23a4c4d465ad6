/** The page without a token: what happened, and how to get in. */
import { Mark } from "../sessions/mark.tsx";
import { visibleText } from "../../view/visible.ts";

export const SignedOut = ({ because }: { because: string }) => (
  <main class="signed-out">
    <div class="signed-out-card card">
      <Mark />
      <h1>Not signed in</h1>
      <p>{visibleText(because)}</p>
      <p>Where the gateway runs, this prints a new link. It is good once, and for a minute:</p>
      <pre class="command">
        <code>toolwright serve link</code>
      </pre>
      <p class="muted">Every tab is signed in by itself, until it is closed.</p>
    </div>
  </main>
);
