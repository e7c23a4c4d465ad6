/** Where a gateway listens by default. It stays the same, so that clients find it after a restart. */

export const usualPort = 4747;
