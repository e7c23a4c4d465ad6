/** What a browser calls itself in its User-Agent header, in a few of our own words: "Firefox 144 on Linux". */

type BrowserPatterns = readonly (readonly [RegExp, string])[];

/** The first that fits: many browsers name those that they resemble as well. */
const browsers: BrowserPatterns = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/u, "Edge"],
  [/\bOPR\/(\d+)/u, "Opera"],
  [/\bSamsungBrowser\/(\d+)/u, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\/(\d+)/u, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|CriOS|Chromium)\/(\d+)/u, "Chrome"],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//u, "Safari"],
];

const systems: BrowserPatterns = [
  [/\bAndroid\b/u, "Android"],
  [/\biPhone\b/u, "iPhone"],
  [/\biPad\b/u, "iPad"],
  [/\bWindows\b/u, "Windows"],
  [/\bMac OS X\b/u, "macOS"],
  [/\bCrOS\b/u, "ChromeOS"],
  [/\bLinux\b/u, "Linux"],
];

/** Nothing of the header itself is kept but a version's digits. */
export function browserName(userAgent: string): string {
  const text = userAgent.slice(0, 1_000);
  const found = browsers.map(([pattern, name]) => ({ name, match: pattern.exec(text) }));
  const browser = found.find(({ match }) => match);
  const system = systems.find(([pattern]) => pattern.test(text))?.[1];
  const version = browser?.match?.[1]?.slice(0, 4);
  const name = browser ? `${browser.name} ${version ?? ""}`.trimEnd() : "Another program";
  return system === undefined ? name : `${name} on ${system}`;
}
