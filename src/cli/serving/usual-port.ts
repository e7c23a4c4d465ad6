/** The gateway's default port, fixed so that clients find it after a restart. */

export const usualPort = 4747;
