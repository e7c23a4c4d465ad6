/** Search across all sessions, with the line around each match. */

import { useSignal } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { visibleLine } from "../../base/visible-text.ts";
import type { SessionValue } from "../../remote/api-values.ts";
import type { PageClient } from "../contract.ts";
import { ago } from "../conversation/words.ts";
import { useLoading } from "./loading.ts";
import { markedPieces } from "./marked-words.ts";
import { ProblemLine } from "./problem-line.tsx";
import "./search-panel.css";

type SearchPanelProps = { client: PageClient; onOpen: (session: string) => void; onClose: () => void };

/** Delay after typing, so that not every letter starts a search. */
const restMs = 200;

export function SearchPanel({ client, onOpen, onClose }: SearchPanelProps) {
  const words = useSignal("");
  const field = useId();
  const place = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const searched = useRef("");
  const found = useLoading(() => client.search((searched.current = words.peek().trim())));
  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(() => {
    if (words.value.trim() === "") return undefined;
    const timer = setTimeout(() => found.load(), restMs);
    return () => clearTimeout(timer);
  }, [words.value]);
  const isAsked = words.value.trim() !== "";
  // Between a letter and its results those of the word before are still there: no key is meant for them.
  const isPresent = isAsked && !found.isLoading && searched.current === words.value.trim();
  const sessions = isAsked ? found.value?.sessions : undefined;
  return (
    <div
      class="search-panel"
      role="search"
      aria-label="Search in all sessions"
      ref={place}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
        if (isPresent && place.current) goAmong(place.current, event);
      }}
    >
      <label for={field} class="visually-hidden">
        Search in all sessions
      </label>
      <input
        id={field}
        ref={input}
        class="field"
        type="search"
        placeholder="Words that were said or done"
        autocomplete="off"
        value={words.value}
        onInput={(event) => (words.value = event.currentTarget.value)}
      />
      <p class="muted" role="status">
        {sessions === undefined ? "" : foundWords(sessions.length, found.value?.more === true)}
      </p>
      <ProblemLine problem={isAsked ? found.problem : undefined} />
      <ul class="search-results">
        {(sessions ?? []).map((session) => (
          <SearchResultItem key={session.id} session={session} words={words.value} onOpen={onOpen} />
        ))}
      </ul>
    </div>
  );
}

/** ↓ and ↑ go from the field through what was found; Enter in the field opens the first. */
function goAmong(place: HTMLElement, event: KeyboardEvent): void {
  const all = [...place.querySelectorAll<HTMLElement>("input, .search-result")];
  const at = all.findIndex((one) => one === event.target);
  const to = all[at + (event.key === "ArrowUp" ? -1 : 1)];
  if (at < 0 || !to || event.isComposing) return;
  if (event.key === "Enter" && at === 0) to.click();
  else if (event.key === "ArrowDown" || event.key === "ArrowUp") to.focus();
  else return;
  event.preventDefault();
}

function foundWords(count: number, more: boolean): string {
  if (count === 0) return "No session has these words.";
  const sessions = count === 1 ? "1 session" : `${count} sessions`;
  return more ? `The newest ${sessions} with these words.` : `${sessions} with these words.`;
}

type SearchResultItemProps = { session: SessionValue; words: string; onOpen: (session: string) => void };

function SearchResultItem({
  session: { id, title, excerpt, updatedAt },
  words,
  onOpen,
}: SearchResultItemProps) {
  return (
    <li>
      <button type="button" class="search-result" onClick={() => onOpen(id)}>
        <span class="search-title">{visibleLine(title === "" ? "New session" : title)}</span>
        <time class="muted search-time" dateTime={new Date(updatedAt).toISOString()}>
          {ago(updatedAt, Date.now())}
        </time>
        {excerpt === undefined ? null : (
          <span class="search-excerpt">
            {markedPieces(visibleLine(excerpt), words).map(({ text, isFound }, at) =>
              isFound ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
            )}
          </span>
        )}
      </button>
    </li>
  );
}
