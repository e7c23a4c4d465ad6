/** Removes members without a value from objects. */

/** Returns a copy without the members that are `undefined`, for objects that are compared, spread or stored. */
export function withoutUndefined<Members extends object>(members: Members): Members {
  const kept = { ...members };
  for (const name of Object.keys(kept))
    if (Reflect.get(kept, name) === undefined) Reflect.deleteProperty(kept, name);
  return kept;
}
