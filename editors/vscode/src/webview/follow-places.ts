/** Links to places of the page: VS Code takes a click on one for a wish to scroll, and keeps the browser from following it. */

import { type PageLocation, placeIn } from "../../../../src/page/app/route.ts";

export function followPlaces(go: (place: PageLocation) => void): void {
  addEventListener("click", ({ target }) => {
    const link = target instanceof Element ? target.closest("a")?.getAttribute("href") : undefined;
    if (link?.startsWith("#/")) go(placeIn(link));
  });
}
