/** The whole page: the session list on the left, the current session, and dialogs over both. */

import { useEffect, useRef, useState } from "preact/hooks";
import { visibleText } from "../../base/visible-text.ts";
import { awaitsPerson } from "../../protocol/session-state.ts";
import type { Theme } from "../contract.ts";
import { Icon } from "../icon.tsx";
import idle from "../icons/idle.svg";
import waiting from "../icons/waiting.svg";
import working from "../icons/working.svg";
import { Browsers } from "../panels/browsers.tsx";
import { SearchPanel } from "../panels/search-panel.tsx";
import { SettingsPanel } from "../panels/settings-panel.tsx";
import { Dialog } from "../sessions/dialog.tsx";
import { sessionTitle } from "../sessions/session-actions.tsx";
import { SessionList } from "../sessions/session-list.tsx";
import { Start } from "../sessions/start.tsx";
import type { App } from "./app-state.ts";
import { useFocusWithin } from "./focus.ts";
import { LinkLine } from "./link-line.tsx";
import { usePageKeys } from "./page-keys.ts";
import { SessionPage } from "./session-page.tsx";
import { SignedOut } from "./signed-out.tsx";
import { setTheme, theme } from "./theme.ts";

type OpenDialog = "search" | "settings" | "keys";

export function Page({ app }: { app: App }) {
  const [opened, setOpened] = useState<OpenDialog>();
  const [isListOpen, setListOpen] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  usePageKeys({ app, search: () => setOpened("search"), help: () => setOpened("keys") });
  useEffect(() => {
    if (!isListOpen) return undefined;
    const pressed = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") setListOpen(false);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [isListOpen]);
  useFocusWithin(list, isListOpen);
  if (app.link.value.type === "refused") return <SignedOut because={app.link.value.because} />;
  return (
    <div class={`page ${isListOpen ? "page-list-open" : ""}`}>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the conversation
      </button>
      <div class="page-list" ref={list}>
        <SessionList
          app={app}
          onSearch={() => setOpened("search")}
          onLeave={() => setListOpen(false)}
          onSettings={() => setOpened("settings")}
          onKeys={() => setOpened("keys")}
        />
      </div>
      <div class="veil" onClick={() => setListOpen(false)} />
      <div class="page-main" inert={isListOpen}>
        <Place app={app} onList={() => setListOpen(true)} onSettings={() => setOpened("settings")} />
      </div>
      {opened && <Over app={app} opened={opened} close={() => setOpened(undefined)} />}
      <Notices app={app} />
      <Signs app={app} />
    </div>
  );
}

type PlaceProps = { app: App; onList: () => void; onSettings: () => void };

/** The current session, or the form for a new one. */
function Place({ app, onList, onSettings }: PlaceProps) {
  const store = app.shown.value;
  if (store)
    return <SessionPage key={store.id} app={app} store={store} onList={onList} onSettings={onSettings} />;
  return (
    <main class="session-main start-main" id="main" tabIndex={-1} aria-label="New session">
      <button type="button" class="icon-button list-button" aria-label="Sessions" onClick={onList}>
        <Icon name="menu" />
      </button>
      <Start app={app} />
      <LinkLine app={app} />
    </main>
  );
}

function Over({ app, opened, close }: { app: App; opened: OpenDialog; close: () => void }) {
  switch (opened) {
    case "keys":
      return <Shortcuts onClose={close} />;
    case "search":
      return (
        <Dialog title="Search sessions" onClose={close}>
          <SearchPanel
            client={app.gateway.client}
            onOpen={(id) => {
              close();
              app.go({ type: "session", id });
            }}
            onClose={close}
          />
        </Dialog>
      );
    case "settings":
      return (
        <Dialog title="Settings" onClose={close}>
          <Settings app={app} />
        </Dialog>
      );
    default:
      return opened satisfies never;
  }
}

/** Settings of the current session, if there is one, and of the page. */
function Settings({ app: { shown, gateway, surroundings } }: { app: App }) {
  const store = shown.value;
  return (
    <div class="settings-panel">
      {store && (
        <SettingsPanel view={store.view.value} ask={gateway.askOf(store.id)} client={gateway.client} />
      )}
      {surroundings.type === "browser" && <ThemeChoice />}
      {surroundings.type === "browser" && <Browsers client={gateway.client} />}
    </div>
  );
}

/** Updates the tab's title and icon. */
function Signs({ app }: { app: App }) {
  const view = app.shown.value?.view.value;
  const waits = view && awaitsPerson(view.state);
  const elsewhere = app.sessions.value?.some(({ standing }) => standing === "waiting") ?? false;
  const sign: Sign = waits || elsewhere ? "waiting" : view?.state.status === "running" ? "working" : "idle";
  const name = view ? sessionTitle({ title: view.state.title ?? view.row?.title ?? "" }) : undefined;
  useEffect(() => showSign(name, sign), [name, sign]);
  return null;
}

/** Short notices over the page about failed actions. */
const Notices = ({ app }: { app: App }) => (
  <div class="notices" role="alert">
    {app.notices.value.map(({ id, text }) => (
      <div class="notice card" key={id}>
        <span>{visibleText(text)}</span>
        <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => app.dismiss(id)}>
          <Icon name="close" />
        </button>
      </div>
    ))}
  </div>
);

type Sign = "idle" | "working" | "waiting";

const icons: Readonly<Record<Sign, string>> = { idle, working, waiting };

/** The page's title, with a mark while a session waits for a person. */
const titleOf = (name: string | undefined, sign: Sign): string =>
  `${sign === "waiting" ? "● " : ""}${name === undefined ? "" : `${name} – `}Toolwright`;

/** The tab's title and icon, which show the state of a page in the background. */
function showSign(name: string | undefined, sign: Sign): void {
  document.title = titleOf(name, sign);
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link && !link.href.endsWith(icons[sign])) link.href = icons[sign];
}

const choices: readonly { value: Theme; name: string }[] = [
  { value: "system", name: "System" },
  { value: "light", name: "Light" },
  { value: "dark", name: "Dark" },
];

/** The choice of theme: light, dark, or the system's. */
const ThemeChoice = () => (
  <fieldset class="settings-group">
    <legend>Theme</legend>
    <div class="theme-choices">
      {choices.map(({ value, name }) => (
        <label key={value} class="question-choice">
          <input type="radio" name="theme" checked={theme.value === value} onChange={() => setTheme(value)} />
          <span>{name}</span>
        </label>
      ))}
    </div>
  </fieldset>
);

const keys: readonly (readonly [string, string])[] = [
  ["Enter", "Send (while it works: at its next step)"],
  ["Ctrl + Enter", "While it works: queue for afterwards"],
  ["Shift + Enter", "New line"],
  ["↑ / ↓", "Earlier messages"],
  ["Esc", "Stop, or close what is open"],
  ["Ctrl + K", "Search all sessions"],
  ["Ctrl + F", "Find in the conversation"],
  ["Ctrl + Shift + E", "Changes and requests"],
  ["Alt + N", "New session"],
  ["Alt + ↑ / ↓", "Previous and next session"],
  ["/", "Go to the text field; at its start: commands and skills"],
  ["Y / N / E", "With the focus in a question: once, deny, edit command"],
  ["?", "This list"],
];

/** The list of the page's keyboard shortcuts. */
const Shortcuts = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <dl class="shortcuts">
      {keys.map(([key, says]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{says}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
