/**
 * Security headers of every reply: no caching, framing, sniffing or referrers, and a page loads only its own resources.
 */

const nothing = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const always = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

/** For replies to programs. */
export const strictHeaders: Readonly<Record<string, string>> = {
  ...always,
  "content-security-policy": nothing,
};

/** For the page and its assets; images that a person pastes are `data:` and `blob:`. */
export const pageHeaders: Readonly<Record<string, string>> = {
  ...always,
  "content-security-policy": `${nothing}; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'`,
};
