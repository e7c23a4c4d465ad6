/** What a model is told where a person has changed its command before saying yes. */

export const editedWords = (command: string): string =>
  `The user changed this command before allowing it. This was run instead of what you wrote: ${command}`;
