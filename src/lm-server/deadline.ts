/** Waits for a promise, but no longer than a given time. */

export async function withDeadline(waiting: Promise<unknown>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  try {
    await Promise.race([waiting, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
