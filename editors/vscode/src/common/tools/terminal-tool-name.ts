/** The name of the tool that runs a command in a terminal of the user's own shell; by itself, because schemas load late. */

export const terminalToolName = "run_in_my_terminal";
