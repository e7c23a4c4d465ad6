/** With whom a session is shared: others of the team may read it, or answer its questions as well. */

import { useEffect, useId, useState } from "preact/hooks";
import type { Expected } from "../../base/expected.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { ShareValue } from "../../remote/api-values.ts";
import type { App } from "../app/app-state.ts";
import { useLoading } from "../panels/loading.ts";
import { ProblemLine } from "../panels/problem-line.tsx";
import { Dialog } from "./dialog.tsx";

type ShareDialogProps = { app: App; session: string; onClose: () => void };
type Sharing = (share: ShareValue) => Promise<Expected<undefined>>;

export function ShareDialog({ app, session, onClose }: ShareDialogProps) {
  const { client } = app.gateway;
  const sharing = useLoading(() => client.sharing(session));
  const [problem, setProblem] = useState<string>();
  useEffect(() => sharing.load(), []);
  const share: Sharing = async (wanted) => {
    const outcome = await client.share(session, wanted);
    setProblem(outcome.ok ? undefined : outcome.problem);
    sharing.load();
    return outcome;
  };
  const { person, shares = [] } = sharing.value ?? {};
  return (
    <Dialog title="Share the session" onClose={onClose}>
      {person !== undefined && <p class="muted">It belongs to {visibleLine(person)}.</p>}
      <ul class="browsers" aria-label="Shared with" aria-busy={sharing.isLoading}>
        {shares.map((one) => (
          <li class="browser" key={one.person ?? ""}>
            <span>
              {nameOf(one)}
              <span class="muted question-detail">{rightWords[one.right]}</span>
            </span>
            <button
              type="button"
              class="button"
              aria-label={`Take back from ${nameOf(one)}`}
              onClick={() => void share(one.person === undefined ? {} : { person: one.person })}
            >
              Take back
            </button>
          </li>
        ))}
      </ul>
      <NewShare share={share} />
      <ProblemLine problem={problem ?? sharing.problem} />
    </Dialog>
  );
}

const rightWords = { read: "may read it", answer: "may read it and answer its questions" } as const;
type SharedRight = keyof typeof rightWords;

const nameOf = ({ person }: Pick<ShareValue, "person">): string =>
  person === undefined ? "Everybody of the team" : visibleLine(person);

function NewShare({ share }: { share: Sharing }) {
  const [person, setPerson] = useState("");
  const [right, setRight] = useState<SharedRight>("read");
  const [name, about] = [useId(), useId()];
  const begin = async (): Promise<void> => {
    const whom = person.trim();
    const outcome = await share({ right, ...(whom === "" ? {} : { person: whom }) });
    if (outcome.ok) setPerson("");
  };
  return (
    <form
      class="share"
      onSubmit={(event) => {
        event.preventDefault();
        void begin();
      }}
    >
      <label>
        E-mail address
        <input
          class="field"
          inputMode="email"
          autocomplete="off"
          spellcheck={false}
          aria-describedby={about}
          value={person}
          onInput={({ currentTarget: { value } }) => setPerson(value)}
          autofocus
        />
      </label>
      <p class="muted" id={about}>
        Of somebody in your team. Without one it is shared with everybody of the team.
      </p>
      <fieldset class="settings-group">
        <legend>They may</legend>
        {(["read", "answer"] as const).map((one) => (
          <label key={one} class="question-choice">
            <input
              type="radio"
              name={name}
              value={one}
              checked={one === right}
              onChange={() => setRight(one)}
            />
            <span>{rightChoices[one]}</span>
          </label>
        ))}
      </fieldset>
      <div class="dialog-buttons">
        <button type="submit" class="button primary">
          Share
        </button>
      </div>
    </form>
  );
}

const rightChoices: Readonly<Record<SharedRight, string>> = {
  read: "read it",
  answer: "read it and answer its questions",
};
