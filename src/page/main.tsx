/** Starts the page: signs in, connects, and draws. */

import { render } from "preact";
import { connect } from "../remote/client.ts";
import { appOf } from "./app/app-state.ts";
import { gatewayOf } from "./app/gateway.ts";
import { deviceOf, keptKey, signIn } from "./app/sign-in.ts";
import { SignedOut } from "./app/signed-out.tsx";
import { showTheme } from "./app/theme.ts";
import { drawPage } from "./draw-page.tsx";

showTheme();
const place = document.getElementById("page");
if (place) await start(place);

async function start(place: HTMLElement): Promise<void> {
  // A sign-in link opened in a tab that already shows the page changes only the hash.
  addEventListener("hashchange", () => {
    if (location.hash.startsWith("#code=")) location.reload();
  });
  const url = location.origin;
  const signed = await signIn({
    hash: location.hash,
    storage: localStorage,
    exchange: (given) => connect({ url }).exchange(given),
    forget: () => history.replaceState(null, "", location.pathname),
  });
  if (signed.type === "none") return render(<SignedOut because={signed.because} />, place);
  const app = appOf(gatewayOf(connect({ url, token: signed.token }), deviceOf(signed.token)));
  app.link.subscribe((link) => {
    // Another tab has signed in again since this one was opened.
    if (link.type === "refused" && keptKey(localStorage) !== signed.token) location.reload();
  });
  drawPage(app, place);
}
