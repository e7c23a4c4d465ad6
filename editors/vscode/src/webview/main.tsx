/** Starts the page inside VS Code's chat view: over the relay, in the editor's colours, where it was before a reload. */

import { connect } from "../../../../src/client.ts";
import { appOf } from "../../../../src/page/app/app-state.ts";
import { hashOf, type PageLocation } from "../../../../src/page/app/route.ts";
import { drawPage } from "../../../../src/page/draw-page.tsx";
import { viewStorage } from "../common/chat/view-storage.ts";
import { relayedUrl } from "../common/relay/page-end.ts";
import { editorGateway } from "./editor-gateway.ts";
import { followPlaces } from "./follow-places.ts";
import { keepFocusQuiet } from "./quiet-focus.ts";
import { takeDrops } from "./take-drops.ts";
import { viewConnection } from "./view-connection.ts";
import { viewHost } from "./view-host.ts";
import "./theme.css";

const place = document.getElementById("page");
if (place) void start(place);

async function start(place: HTMLElement): Promise<void> {
  keepFocusQuiet();
  const connection = viewConnection(viewHost());
  const { fetch, WebSocket } = connection;
  const { kept, session } = await connection.restored;
  const storage = viewStorage({
    kept,
    keep: (changes) => connection.send({ type: "storage-changed", changes }),
  });
  // The extension has the token and puts it in.
  const client = connect({ url: relayedUrl, token: "relayed", fetch, WebSocket });
  location.hash = hashOf(placeOf(session));
  const gateway = editorGateway(client, { connection, workspace: place.dataset["workspace"] ?? "" });
  const app = appOf(gateway, { type: "editor", marks: storage, drafts: storage });
  app.place.subscribe((now) => {
    const session = now.type === "session" ? now.id : undefined;
    connection.send({ type: "place-changed", session });
  });
  connection.act({
    show: (session) => app.go(placeOf(session)),
    focus: focusComposer,
    add: (added) => app.drafts.add(app.shown.peek()?.id ?? "new", added),
  });
  followPlaces((to) => app.go(to));
  takeDrops((uris) => connection.send({ type: "files-dropped", uris }));
  drawPage(app, place);
}

function placeOf(session: string | undefined): PageLocation {
  return session === undefined || session === "" ? { type: "start" } : { type: "session", id: session };
}

/** The view itself has the focus by then. */
function focusComposer(): void {
  document.querySelector<HTMLElement>(".composer-text")?.focus();
}
