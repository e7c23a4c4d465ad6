/** Detects the type of bytes from how they begin: a media type, or a description. */

/** The `type` of bytes that look like text in another encoding. */
export const otherEncoding = "text that is not UTF-8";

const signatures: readonly { type: string; bytes: readonly number[]; at?: number }[] = [
  { type: "image/png", bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: "image/jpeg", bytes: [0xff, 0xd8, 0xff] },
  { type: "image/gif", bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: "image/webp", bytes: [0x57, 0x45, 0x42, 0x50], at: 8 },
  { type: "application/pdf", bytes: [0x25, 0x50, 0x44, 0x46] },
  { type: "application/zip", bytes: [0x50, 0x4b, 0x03, 0x04] },
  { type: "application/gzip", bytes: [0x1f, 0x8b] },
  { type: "application/x-elf", bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { type: "text in UTF-16", bytes: [0xff, 0xfe] },
  { type: "text in UTF-16", bytes: [0xfe, 0xff] },
];

export function sniffType(bytes: Uint8Array): string {
  const found = signatures.find(({ bytes: magic, at = 0 }) =>
    magic.every((byte, i) => bytes[at + i] === byte),
  );
  return found?.type ?? "application/octet-stream";
}
