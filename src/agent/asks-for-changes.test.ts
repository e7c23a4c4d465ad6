import { expect, test } from "vitest";
import { asksForChanges } from "./asks-for-changes.ts";

test.each([
  "Rename the function foo to bar",
  "fix the bug in src/a.ts",
  "Please add a test for the parser.",
  "Can you update the README?",
  "Could you please refactor loop.ts into smaller functions?",
  "I need you to remove the dead code.",
  "The build is broken. Fix it.",
  "Look at a.ts, then change the port to 8080.",
  "Read config.json and update the version",
  "Why does this crash? Fix it please.",
  "Create a file hello.txt with the word hello",
  "Write a summary of the project to docs/summary.md",
  "write a function that adds two numbers",
  "We should delete the old migration files now.",
  "1. Create src/x.ts\n2. Add an export",
  "Make sure nothing breaks and edit main.py",
  "Without touching the tests, change the parser",
  "```ts\nlet a = 1\n```\nChange this to const.",
  "Bitte ändere den Port auf 8080.",
  "Kannst du die Funktion umbenennen?",
  "Erstelle eine Datei hallo.txt",
  "Renomme la fonction foo en bar",
  "Ajoute un test, s'il te plaît",
  "Corrige el error en main.py",
  "Añade una prueba",
  "Check what fails and fix it",
  "Find out why the build is slow, and change that",
])("A12: %j asks for changes", (request) => {
  expect(asksForChanges(request)).toBe(true);
});

test.each([
  "",
  "hello",
  "What does this function do?",
  "How would I change the port?",
  "how do I add a test",
  "How can I fix this error?",
  "Explain the last change.",
  "Describe what the update does",
  "Show me the files that write to disk",
  "Where is the user created?",
  "Why was this removed?",
  "Did you fix it?",
  "Should we refactor this?",
  "Is there an edit button?",
  "Do not change anything, just look.",
  "Look around, but don't modify files.",
  "Summarize the repository without editing anything",
  "List all files that match *.ts",
  "Run the tests",
  "Write a poem about rain",
  "Write me a short summary of this project",
  "Create a list of the functions in a.ts?",
  "What would happen if I delete this file?",
  "Tell me how to update node",
  "The update failed yesterday.",
  "Review my change",
  "Run `git add .` and tell me what happens",
  'What does "fix the bug" mean?',
  "Check whether add.ts compiles",
  "Wie kann ich den Port ändern?",
  "Was macht die letzte Änderung?",
  "Comment ajouter un test ?",
  "¿Cómo puedo cambiar el puerto?",
  "Explique la fonction",
  "I wonder how to change the port",
  "I would like to know what to edit",
])("A12: %j asks for none", (request) => {
  expect(asksForChanges(request)).toBe(false);
});

test("a request of any length is read at once", () => {
  for (const piece of [
    "add ",
    "please ",
    "do not ",
    "`",
    '"',
    "and ",
    "\n> ",
    "the change ",
    "- ",
    "a.b/c ",
  ]) {
    const before = performance.now();
    asksForChanges(piece.repeat(100_000));
    expect(performance.now() - before).toBeLessThan(500);
  }
});
