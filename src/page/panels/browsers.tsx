/** The signed-in browsers, each with a button that signs it out at once. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { visibleLine } from "../../base/visible-text.ts";
import type { DeviceValue } from "../../remote/api-values.ts";
import type { PageClient } from "../contract.ts";
import { ago } from "../conversation/words.ts";
import { useLoading } from "./loading.ts";
import { ProblemLine } from "./problem-line.tsx";
import "./panels.css";

export function Browsers({ client }: { client: PageClient }) {
  const browsers = useLoading(() => client.devices());
  const refused = useSignal<string | undefined>(undefined);
  useEffect(() => browsers.load(), []);
  const signOut = async (id: string): Promise<void> => {
    const outcome = await client.revoke(id);
    refused.value = outcome.ok ? undefined : outcome.problem;
    browsers.load();
  };
  return (
    <fieldset class="settings-group">
      <legend>Signed-in browsers</legend>
      <ul class="browsers" aria-busy={browsers.isLoading}>
        {browsers.value?.map((one) => (
          <Browser key={one.id} browser={one} onSignOut={() => void signOut(one.id)} />
        ))}
      </ul>
      <ProblemLine problem={refused.value ?? browsers.problem} />
    </fieldset>
  );
}

function Browser({ browser, onSignOut }: { browser: DeviceValue; onSignOut: () => void }) {
  const { name, since, seen, isThis } = browser;
  const now = Date.now();
  const used = isThis ? "this browser" : `used ${ago(seen, now)}`;
  return (
    <li class="browser">
      <span>
        {visibleLine(name)}
        <span class="muted question-detail">{`${used}, signed in ${ago(since, now)}`}</span>
      </span>
      <button
        type="button"
        class="button"
        aria-label={`Sign out ${isThis ? "this browser" : visibleLine(name)}`}
        onClick={onSignOut}
      >
        Sign out
      </button>
    </li>
  );
}
