/** Whether a call may run: every layer says its word, the strictest wins, and the trace tells all of it. */
import type { Does, Mode, Risk, Verdict } from "../protocol/facts.ts";
import { isPlainlyHarmless } from "./harmless.ts";
import { protectedPlace } from "./places.ts";
import { type LayerWord, type RuleLayer, stricter, wordsOfRules } from "./rules.ts";

export type Subject = {
  tool: string;
  does: Does;
  /** Workspace-relative paths that it reads or changes, as far as its arguments tell. */
  paths: readonly string[];
  command?: string;
  /** Where the command runs, workspace-relative; absent for the root. */
  directory?: string;
  /** In the file system the command is more than its words: see `reach.ts`. */
  leadsOut?: boolean;
  /** Its arguments were mended by a guess. */
  guessed?: boolean;
};

export type Policy = {
  mode: Mode;
  rules: readonly RuleLayer[];
  /** Whether the named grant was given by a person for now. */
  granted(grant: string): boolean;
  /** Whether there is a person to ask. Without one, ask means deny. */
  interactive: boolean;
};

export type Decision = { verdict: Verdict; because: string; risk: Risk; trace: LayerWord[] };

/** What a wider yes to this call would cover: all file changes, or exactly this command in this directory. */
export function grantFor({ tool, does, command, directory }: Subject): string {
  if (command === undefined) return `every ${does} by ${tool}`;
  return `the command ${command}${directory === undefined ? "" : ` in ${directory}`}`;
}

/**
 * Combines the layers: plan mode, protected places, rules, risk with mode, grants, and the absence of a person.
 * An explicit rule or a grant answers what the mode would ask; nothing answers a denial.
 */
export function decide(subject: Subject, policy: Policy): Decision {
  const risk = riskOf(subject);
  const hard = [planWord(subject, policy), placeWord(subject)].filter((word) => word !== undefined);
  const rules = wordsOfRules(policy.rules, subject);
  const usual = modeWord(subject, policy.mode, risk);
  const guess = guessWord(subject);
  const trace = [...hard, ...rules, ...(guess ? [guess] : []), usual];
  const forced = hard[0];
  if (forced) return { verdict: forced.verdict, because: forced.because, risk, trace };

  const ruled = strictestOf(guess ? [...rules, guess] : rules);
  let word = ruled ?? usual;
  if (policy.mode === "deny" && word.verdict === "ask")
    word = { ...word, verdict: "deny", because: denyMode };
  if (word.verdict === "ask" && !ruled && policy.granted(grantFor(subject))) {
    word = { layer: "grant", verdict: "allow", because: "a person allowed this earlier" };
    trace.push(word);
  }
  if (word.verdict === "ask" && !policy.interactive) {
    word = { layer: "no person", verdict: "deny", because: `${word.because}, and there is nobody to ask` };
    trace.push(word);
  }
  return { verdict: word.verdict, because: word.because, risk, trace };
}

const denyMode = "the mode is deny: nothing that would need a question is done";

/** Until commands are parsed, one that is not plainly harmless counts as high. */
function riskOf(subject: Subject): Risk {
  if (subject.does === "read") return "none";
  if (subject.command === undefined) return "medium";
  return isHarmless(subject) ? "none" : "high";
}

const isHarmless = ({ command, leadsOut }: Subject): boolean =>
  command !== undefined && leadsOut !== true && isPlainlyHarmless(command);

function planWord(subject: Subject, policy: Policy): LayerWord | undefined {
  if (policy.mode !== "plan" || subject.does === "read") return undefined;
  if (isHarmless(subject)) return undefined;
  return {
    layer: "plan mode",
    verdict: "deny",
    because: "the mode is plan: files are read, nothing is changed or run",
  };
}

function placeWord(subject: Subject): LayerWord | undefined {
  if (subject.does !== "change") return undefined;
  const place = subject.paths.map(protectedPlace).find((found) => found !== undefined);
  if (place === undefined) return undefined;
  return {
    layer: "protected places",
    verdict: "deny",
    because: `${place} is protected and never changed by a tool`,
  };
}

/** FORMATS 4.8: what was read by a guess may look, and asks before it does more. */
function guessWord(subject: Subject): LayerWord | undefined {
  if (subject.guessed !== true || subject.does === "read") return undefined;
  return { layer: "repaired call", verdict: "ask", because: "its damaged arguments were mended by a guess" };
}

function modeWord(subject: Subject, mode: Mode, risk: Risk): LayerWord {
  const word = (verdict: Verdict, because: string): LayerWord => ({
    layer: `mode ${mode}`,
    verdict,
    because,
  });
  if (subject.does === "read") return word("allow", "it only reads");
  if (subject.does === "change") {
    const free = mode === "accept-edits" || mode === "auto";
    return free ? word("allow", `the mode ${mode} accepts file changes`) : word("ask", "it changes files");
  }
  if (risk === "none") return word("allow", "it plainly only reads the workspace");
  return word("ask", "it runs a command that is not plainly harmless");
}

function strictestOf(words: readonly LayerWord[]): LayerWord | undefined {
  return words.reduce<LayerWord | undefined>(
    (best, word) => (best && stricter(best.verdict, word.verdict) === best.verdict ? best : word),
    undefined,
  );
}
