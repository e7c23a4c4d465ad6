/** How a remote of a repository is named in a judgement: apart, because every session asks, and few judge commands. */

/** Stands for the remote that git chooses, or for several. */
export const anyRemote = "";

/** No address, no option and no path: `../x` is a repository, and `+main:main` overwrites a branch. */
export const remoteName = /^[A-Za-z\d][\w.-]*$/u;
