/** The request behind `/init` and `toolwright init`. */

/** The result is read at the start of every session, so it has to be short, and every line has to be true. */
export const initRequest = `Write AGENTS.md in the workspace's root: what a coding agent that is new to this project has to know before it changes anything, and could not see at a glance.

First look at what is here: the README and other documents, the manifests and lock files, the scripts and the CI configuration, and enough of the source and its tests to know how they are laid out. Instructions for other agents (CLAUDE.md, GEMINI.md, .cursorrules, .github/copilot-instructions.md and the like) count as sources, too.

Then write, as far as it applies here, in at most 60 lines of Markdown:
- One sentence on what the project is.
- The commands: install, build, run, all tests, one single test, lint, format. Only commands that you found in the project's own files; run the cheap and harmless ones once, to see that they work.
- Where things are: the few directories and files that matter, and how the parts depend on each other.
- How code is written here, where it differs from what is usual: style, names, errors, tests, commit messages.
- What to be careful about: generated files, what must not be edited or committed, slow or dangerous commands.

Leave out what every programmer knows, lists of all files, and anything you have only guessed. Do not write secrets, keys or the contents of .env files into it.

If AGENTS.md is there already, improve it with as few edits as possible, instead of writing it anew: keep what is right, in the words it has, correct what is wrong now, and add what is missing. If nothing is wrong or missing, say so and change nothing. At the end say in two or three sentences what you wrote or changed, and what you could not find out.`;
