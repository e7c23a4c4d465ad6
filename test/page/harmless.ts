/** What a page must never do, whatever texts it shows: run them, contact another host, or stop working. */

import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { PageTest } from "./browser.ts";
import { flag } from "./payloads.ts";

type Watched = {
  /** Checks now. */
  expectHarmless(): Promise<void>;
};

/** Starts watching. */
export function watch(page: Page, { gateway, complaints }: PageTest): Watched {
  const strange: string[] = [];
  const own = new URL(gateway.url).host;
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (host !== own && protocol !== "data:" && protocol !== "blob:")
      strange.push(`asked for ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    strange.push(`said "${dialog.message()}"`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => strange.push(`opened ${popup.url()}`));
  page.on("framenavigated", (frame) => {
    if (new URL(frame.url()).host !== own) strange.push(`went to ${frame.url()}`);
  });
  return {
    async expectHarmless() {
      expect(await page.evaluate((name) => Reflect.get(window, name), flag)).toBeUndefined();
      expect(await page.evaluate(oddities)).toEqual([]);
      expect(strange).toEqual([]);
      expect(complaints).toEqual([]);
      expect(page.frames()).toHaveLength(1);
      await expectUsable(page);
    },
  };
}

/** Elements and attributes that no text can have made. */
function oddities(): string[] {
  const forbidden =
    "script, iframe, frame, object, embed, link, meta, base, style, video, audio, source, template, math, portal, form[action], [srcdoc], [ping], [formaction]";
  const found: string[] = [];
  const place = document.getElementById("page");
  if (!(place instanceof HTMLDivElement)) return ["the page's place is another"];
  for (const element of place.querySelectorAll(forbidden)) found.push(element.outerHTML.slice(0, 200));
  for (const element of place.querySelectorAll("*")) {
    const names = element.getAttributeNames();
    if (names.some((name) => name.startsWith("on"))) found.push(element.outerHTML.slice(0, 200));
    if (element.closest(".prose") && (element.id !== "" || names.includes("style") || names.includes("name")))
      found.push(element.outerHTML.slice(0, 200));
  }
  for (const image of place.querySelectorAll("img"))
    if (!image.src.startsWith("data:image/")) found.push(image.outerHTML.slice(0, 200));
  for (const link of place.querySelectorAll("a")) {
    const isOwn = link.origin === location.origin && link.getAttribute("href")?.startsWith("#") === true;
    const isPlain = ["http:", "https:", "mailto:"].includes(link.protocol) && link.rel.includes("noopener");
    if (link.hasAttribute("href") && !isOwn && !isPlain) found.push(link.outerHTML.slice(0, 200));
  }
  return found;
}

/** Nothing covers the page, and its message field accepts text. */
async function expectUsable(page: Page): Promise<void> {
  const field = page.getByRole("textbox", { name: "Message" });
  await field.click();
  await field.fill("still here");
  expect(await field.inputValue()).toBe("still here");
  await field.fill("");
}
