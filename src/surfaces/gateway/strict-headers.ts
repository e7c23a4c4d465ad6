/**
 * Headers of every reply: nothing is cached, framed, guessed or sent on, and a page may load only what comes from here.
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

/** Of replies for programs. */
export const strictHeaders: Readonly<Record<string, string>> = {
  ...always,
  "content-security-policy": nothing,
};

/** Of the page and its parts; pictures that a person pastes are `data:` and `blob:`. */
export const pageHeaders: Readonly<Record<string, string>> = {
  ...always,
  "content-security-policy": `${nothing}; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'`,
};
