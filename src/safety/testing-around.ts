/** Where the commands of tests are judged: a home, and a workspace in it. */

export const around = { home: "/home/dev", workspace: "/home/dev/proj", directory: "/home/dev/proj" };
