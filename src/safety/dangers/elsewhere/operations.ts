/** What the verbs of a client for something elsewhere say: looking, changing, removing, or showing what is secret. */

import { isUnknown, type Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

const asks: Effect = { type: "fetches", from: undefined };

const looking =
  /^(?:describe|list|ls|get|head|show|search|lookup|query|scan|view|status|info|inspect|logs?|tail|diff|validate|check|versions?|whoami|estimate|preview|simulate|select|filter|wait|plan|print|read|explain|verify|access|history|metrics|top|current|exists|what|batch-get|test|lint|output|outputs|count|tree|ps|config-get|completion|download|pull|fetch|open|docs|decrypt|export|reveal|available|members|catalog|monitor|releases|domains|regions|alias)(?=$|[-:])/u;
const removing =
  /^(?:batch-)?(?:delete|destroy|remove|rm|rb|terminate|purge|deregister|drop|prune|reset|wipe|del|undeploy|uninstall|schedule-key-deletion|nuke|erase|clear|flush|revoke|disassociate|detach|unset|empty)(?=$|[-:])/u;
const changing =
  /^(?:create|put|update|modify|set|add|new|make|deploy|run|start|stop|restart|reboot|scale|resize|enable|disable|attach|associate|import|restore|move|copy|cp|mv|rename|apply|push|upload|publish|submit|invoke|execute|exec|send|promote|rollback|migrate|register|grant|assign|activate|deactivate|cancel|tag|untag|upgrade|install|release|allocate|authorize|accept|reject|init|launch|up|down|connect|ssh|login|logout|switch|use|edit|patch|replace|failover|rotate|generate|assume|configure|sync|rsync|link|unlink|transfer|clone|fork|provision|suspend|resume|swap|call|trigger|redeploy|apply-[a-z]+|auth|psql)(?=$|[-:])/u;

const whole =
  /(?:stack|cluster|db|pg|database|instance|table|project|group|bucket|volume|file-?system|vault|snapshot|droplet|server|linode|app|apps|account|organization|namespace|domain|repositor|key-deletion|site|postgres|redis|environment|workspace|all|vm|sql|container|storage|disk)/u;
const hidden =
  /(?:secret|password|token|credential|private-?key|access-?key|keys|connection-string|kubeconfig|decrypt|session)/u;
const revealing =
  /^(?:get|show|access|print|reveal|export|read|decrypt|view|generate|batch-get|list-keys|versions|download|assume|create)/u;
const always = (because: string, severity: "high" | "critical" = "high"): Effect[] => [
  danger(severity, because),
];

export const secrets: readonly Effect[] = [
  asks,
  { type: "prints", flows: ["secret"] },
  danger("high", "it prints passwords or keys"),
];

export function operation(operands: readonly Word[], name = ""): readonly Effect[] {
  const phrase = operands.slice(0, 5).map(({ text }) => text);
  if (phrase.length === 0 || phrase.includes("help")) return [];
  const parts = phrase.map((text) => text.replace(/^[a-z]+:(?=[a-z])/u, ""));
  const at = parts.findIndex((text) => looking.test(text) || removing.test(text) || changing.test(text));
  const verb = parts[at];
  if (
    verb === undefined &&
    operands.length === 1 &&
    /^(?:apps|addons|pipelines|regions|ps|releases)$/u.test(phrase[0] ?? "")
  )
    return [asks];
  if (verb === undefined)
    return always(
      operands.slice(0, 2).some(isUnknown)
        ? "what it does is only known when it runs"
        : "it may change what runs in your account there",
    );
  const about = phrase.slice(0, at + 1).join(" ");
  if (removing.test(verb)) return removal(at === 0 ? `${name} ${about}` : about, verb);
  if (revealing.test(verb) && hidden.test(about) && !/last-used|policy|usage/u.test(about)) return secrets;
  if (/\bkeys? list$/u.test(about) && !/ssh|kms/u.test(about)) return secrets;
  return looking.test(verb) ? [asks] : always("it changes what runs or exists in your account there");
}

const removal = (about: string, verb: string): readonly Effect[] =>
  (whole.test(about) || /^\S+ (?:destroy|terminate)$|^(?:sls|serverless|sam|sst|amplify) /u.test(about)) &&
  /^(?:batch-)?(?:delete|destroy|terminate|purge|remove|rm|rb|drop|wipe|nuke|reset|schedule)/u.test(verb)
    ? always("it destroys something in your account there, with all that is in it", "critical")
    : always("it removes something in your account there");
