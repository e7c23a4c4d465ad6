/** What a lasting approval covers, and whether it covers a call: no more than the words that the person saw. */

import { profiles } from "../protocol/fact-words.ts";
import type { Grant, Profile, Risk, Scope } from "../protocol/facts.ts";
import { reader } from "./chosen-hosts.ts";
import { type Containment, whatItLeaves } from "./containment.ts";
import { isAtLeast, type CommandPart } from "./judgement.ts";
import type { Subject, Surroundings } from "./subject.ts";

/** The answers that a question offers: the sensible scopes, what they cover, and a description of that. */
export type Offer = { scopes: Scope[]; covers?: Grant; words: string };

/** A call with the results of its analysis. */
export type AnalyzedCall = {
  subject: Subject;
  containment: Containment;
  /** The files that need a separate approval. */
  sensitive: readonly string[];
  around: Surroundings;
  /** Of a command that does nothing over the network but read from these: what lets another tool do that covers it. */
  hosts?: readonly string[];
};

type Uses = Extract<Grant, { type: "uses" }>;

export const onlyOnce: Offer = { scopes: ["once"], words: "only this once" };

/** What would not even cover the same call again is not offered. */
export function offerFor(use: AnalyzedCall, risk: Risk): Offer {
  if (use.hosts && risk === "none" && use.sensitive.length === 0)
    return offerForHosts({ tool: reader }, use.hosts);
  const offer = widestFor(use, risk);
  return offer.covers && isGranted(use, [offer.covers]) ? offer : onlyOnce;
}

function widestFor(use: AnalyzedCall, risk: Risk): Offer {
  const { subject, sensitive } = use;
  const { tool, does, command, definition } = subject;
  if (risk === "critical") return onlyOnce;
  if (command === undefined && subject.hosts) return offerForHosts(subject, subject.hosts);
  if (command === undefined) {
    const paths = sensitive.length === 0 ? {} : { paths: [...sensitive] };
    const files = sensitive.length === 0 ? "" : ` of ${sensitive.join(", ")}`;
    const use = does === "read" || does === "change" ? does : "use";
    const words = files === "" && use === "use" ? `every use of ${tool}` : `every ${use}${files} by ${tool}`;
    const of = definition === undefined ? {} : { definition };
    const covers: Grant = { type: "tool", tool, ...paths, ...of };
    // What programs on terminals will do with later input is unknown, so longer scopes are not offered.
    if (subject.lasting)
      return { scopes: ["once", "turn"], covers, words: "all that is typed into programs on terminals" };
    // A known definition may be approved for the project: the grant ends as soon as the definition changes.
    const project = definition === undefined ? [] : ["project" as const];
    return { scopes: ["once", "turn", "session", ...project], covers, words };
  }
  const scopes: Scope[] = [
    "once",
    "turn",
    "session",
    ...(isAtLeast(risk, "high") ? [] : ["project" as const]),
  ];
  const uses = usesOf(use);
  if (uses) return { scopes, covers: uses, words: wordsOfUses(uses) };
  const directory = subject.directory ?? ".";
  const { profile, isContained: contained } = use.containment;
  const { outside = [] } = subject;
  const words = `exactly this command${lineInWords({ directory, outside })}`;
  const given = outside.length === 0 ? {} : { outside: [...outside] };
  return { scopes, covers: { type: "line", command, directory, risk, profile, contained, ...given }, words };
}

/** Network access is approved per host, for any scope. */
function offerForHosts(
  { tool, definition }: Pick<Subject, "tool" | "definition">,
  hosts: readonly string[],
): Offer {
  const of = definition === undefined ? {} : { definition };
  const covers: Grant = { type: "tool", tool, hosts: [...hosts], ...of };
  return { scopes: ["once", "turn", "session", "project"], covers, words: grantInWords(covers) };
}

/** Whether an earlier approval covers this call. */
export function isGranted(use: AnalyzedCall, grants: readonly Grant[]): boolean {
  const { subject, containment, sensitive } = use;
  if (subject.judgement?.severity === "critical") return false;
  if (subject.command === undefined)
    return grants.some((grant) => grant.type === "tool" && coversTool(grant, use));
  const holds = grants.filter(
    (grant) => grant.type === "tool" || !grant.contained || containment.isContained,
  );
  if (holds.some((grant) => grant.type === "line" && coversExactly(grant, use))) return true;
  const uses = holds
    .filter((grant) => grant.type === "uses")
    .filter((grant) => reaches(grant, containment.profile));
  return sensitive.length === 0 && coversLine(uses, use);
}

type LineGrant = Extract<Grant, { type: "line" }>;

/** Also compares risk and profile: a changed link or another version of Toolwright can change what the words do. */
function coversExactly(grant: LineGrant, { subject, containment }: AnalyzedCall): boolean {
  const { command, directory = ".", judgement, outside = [] } = subject;
  const isSame = grant.command === command && grant.directory === directory;
  const isGiven = outside.every((one) => grant.outside?.includes(one));
  return (
    isSame &&
    isGiven &&
    isAtLeast(grant.risk, judgement?.severity ?? "high") &&
    reaches(grant, containment.profile)
  );
}

function coversTool(grant: Extract<Grant, { type: "tool" }>, { subject, sensitive }: AnalyzedCall): boolean {
  if (grant.tool !== subject.tool || grant.definition !== subject.definition) return false;
  const { hosts = [] } = subject;
  if (hosts.length > 0 || grant.hosts !== undefined)
    return hosts.length > 0 && hosts.every((host) => grant.hosts?.includes(host)) && sensitive.length === 0;
  if (grant.paths === undefined) return sensitive.length === 0;
  return sensitive.length > 0 && sensitive.every((path) => grant.paths?.includes(path));
}

/** Each part is covered, or needs no approval. */
function coversLine(grants: readonly Uses[], use: AnalyzedCall): boolean {
  const { judgement } = use.subject;
  if (!judgement || whatItLeaves(judgement, use.around) !== undefined) return false;
  const asking = judgement.parts.filter((part) => needsYes(part, use));
  return asking.length > 0 && asking.every((part) => grants.some(({ uses }) => coversPart(uses, part)));
}

function coversPart(uses: Uses["uses"], part: CommandPart): boolean {
  const { argv, findings } = part;
  if (argv === undefined || !isUsual(part)) return false;
  return uses.some(
    ({ words, findings: seen }) =>
      words.every((word, at) => argv[at] === word) && findings.every(({ because }) => seen.includes(because)),
  );
}

/** A harmless part needs no approval if it is contained: it would run without one. */
const needsYes = ({ severity }: CommandPart, { containment }: AnalyzedCall): boolean =>
  severity !== "none" || !containment.isContained;

/**
 * A prefix never covers wrappers, interpreters or parts that do not occur literally in the line, nor a change of
 * directory, which decides where everything after it runs, nor what reaches a host that its later words name.
 */
const isUsual = ({ argv, isPlain, kind, namesHost }: CommandPart): boolean =>
  argv !== undefined &&
  isPlain &&
  namesHost !== true &&
  kind !== "wrapper" &&
  kind !== "interpreter" &&
  !["cd", "pushd", "popd"].includes(argv[0] ?? "");

/** The grant by command prefixes, or undefined if only exactly this line can be granted. */
function usesOf(use: AnalyzedCall): Uses | undefined {
  const { subject, containment, sensitive, around } = use;
  const { judgement } = subject;
  if (!judgement || sensitive.length > 0 || whatItLeaves(judgement, around) !== undefined) return undefined;
  const asking = judgement.parts.filter((part) => needsYes(part, use));
  const uses = asking.map(beginningOf);
  if (uses.length === 0 || uses.includes(undefined)) return undefined;
  const { profile, isContained: contained } = containment;
  return { type: "uses", uses: uses.filter((each) => each !== undefined), profile, contained };
}

/**
 * Undefined if the program is a file path or an option is among the words: then the prefix does not say what is done.
 */
function beginningOf(part: CommandPart): Uses["uses"][number] | undefined {
  const { argv = [], verbs, findings } = part;
  const words = argv.slice(0, Math.max(1, verbs));
  const [program = "", ...rest] = words;
  const isClear = isUsual(part) && !program.includes("/") && rest.every((word) => !word.startsWith("-"));
  return isClear ? { words, findings: [...new Set(findings.map(({ because }) => because))] } : undefined;
}

/** A command that needs a wider profile than the approved one is not covered. */
const reaches = ({ profile }: { profile: Profile }, needed: Profile): boolean =>
  profiles.indexOf(needed) <= profiles.indexOf(profile);

/** "`npm install …` in this workspace, while it does no more than this: it installs packages". */
function wordsOfUses({ uses }: Uses): string {
  const told = [...new Set(uses.map(({ words }) => `\`${words.join(" ")} …\``))].join(", ");
  const findings = [...new Set(uses.flatMap((each) => each.findings))];
  const limit =
    findings.length === 0
      ? "nothing in it is dangerous"
      : `it does nothing worse than this: ${findings.join("; ")}`;
  return `${told} in this workspace, while ${limit}`;
}

const lineInWords = ({
  directory,
  outside = [],
}: {
  directory: string;
  outside?: readonly string[];
}): string =>
  `${directory === "." ? "" : ` in ${directory}`}${outside.length === 0 ? "" : `, given ${outside.join(", ")}`}`;

/** Describes a grant, for lists of active grants. */
export function grantInWords(grant: Grant): string {
  switch (grant.type) {
    case "tool":
      if (grant.hosts !== undefined) {
        const also = grant.tool === reader && grant.definition === undefined ? ", by curl and wget too" : "";
        return `every ${grant.tool} from ${grant.hosts.join(", ")}${also}`;
      }
      return grant.paths === undefined
        ? `every use of ${grant.tool}`
        : `${grant.tool} of ${grant.paths.join(", ")}`;
    case "line":
      return `exactly \`${grant.command}\`${lineInWords(grant)}`;
    case "uses":
      return wordsOfUses(grant);
    default:
      return grant satisfies never;
  }
}
