/** Programs that administer a machine's services, scheduled jobs, users and network. */

import { danger, loads, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { type Program, program, type Use } from "../program.ts";
import { command } from "../wrappers/wrapping.ts";
import {
  changes,
  asksAboutItself,
  onlyWithOption,
  shows,
  unlessOption,
  unlessVerb,
} from "./administering.ts";

const starts = [danger("high", "it starts, stops or changes services")];
const startsAtBoot = danger("critical", "it has a service start by itself from now on");
const plans = danger("critical", "it plans commands that run later by themselves");
const unplans = danger("high", "it removes plans of commands");
const users = [danger("high", "it changes users, groups or passwords")];
const rights = danger("critical", "it changes who may act as the machine's administrator");
const firewall = [danger("high", "it changes what the firewall lets through")];
const network = [danger("high", "it changes the machine's network")];
const settings = [danger("high", "it changes the system's settings")];

const services: readonly Program[] = [
  program("systemctl", managed, {
    verbs: 2,
    options: {
      short: "tpPHMnos",
      long: namesIn("type state property host machine lines output signal root"),
    },
  }),
  program("loginctl", sessions, {
    verbs: 2,
    options: { short: "pHMnos", long: ["property", "host", "machine"] },
  }),
  program("service", ({ operands, has }) =>
    has("status-all") || operands.length < 2 || operands[1]?.text === "status" ? [] : starts,
  ),
  program("rc-service sv initctl supervisorctl monit s6-svc invoke-rc.d", serviceWords, {
    options: { stopAtOperand: true },
  }),
  unlessVerb("rc-update update-rc.d chkconfig insserv", "show", ({ has }) =>
    has("list") ? [] : [startsAtBoot],
  ),
  changes("rcctl runsvdir s6-svscan", starts),
  onlyWithOption(
    "journalctl",
    "vacuum-size vacuum-time vacuum-files rotate flush sync relinquish-var setup-keys",
    [danger("high", "it removes what the system recorded")],
    { short: "uptnoSUbDcFMg" },
  ),
  unlessOption("logrotate", "d debug", [danger("high", "it moves logs away and runs what its settings say")]),
  program("busctl dbus-send gdbus qdbus", messages, {
    options: { short: "d", long: ["address", "dest", "type"] },
  }),
  shows("systemd-analyze systemd-detect-virt systemd-path systemd-escape systemd-cgls systemd-cgtop"),
  unlessVerb("resolvectl", "status query statistics dns domain service", network),
  changes("wall write", [danger("medium", "it writes to other users' screens")]),
];

const planning: readonly Program[] = [
  program("crontab fcrontab", plan, { options: { short: "u" } }),
  program("at batch", later, { options: { short: "fqt", known: ["help", "version"] } }),
  shows("atq"),
  changes("atrm", [unplans]),
  changes("anacron cron crond atd", [plans], { short: "SD" }),
];

const accounts: readonly Program[] = [
  program("usermod adduser gpasswd", member, {
    options: {
      short: "cdegGlpRsuaM",
      long: ["groups", "home", "shell", "append-to", "uid", "gid", "ingroup", "gecos"],
    },
  }),
  changes("useradd groupadd addgroup groupmod groupmems newusers chfn", member, {
    short: "bcdefgGkKpRsu",
    long: ["groups"],
  }),
  program("userdel deluser", ({ has }) =>
    has("r", "remove", "remove-home", "remove-all-files")
      ? [danger("critical", "it removes a user and all files of its home")]
      : users,
  ),
  changes(
    "groupdel delgroup chpasswd chgpasswd grpck pwck pwconv pwunconv vipw vigr authconfig authselect",
    users,
  ),
  onlyWithOption("chage", "d E I m M W", users, { short: "dEImMWR" }),
  unlessOption("passwd", "S status", users),
  unlessOption("chsh", "l list-shells", users, { short: "s" }),
  program("visudo", ({ has }) => (has("c", "check", "V", "help") ? [] : [rights])),
  changes("pam-auth-update pam_tally2 faillock", [rights]),
];

const networking: readonly Program[] = [
  program("ip", addresses, {
    options: { stopAtOperand: true, short: "fnlb", long: ["family", "netns"], oneDash: true },
    verbs: 2,
  }),
  program("ifconfig", ({ operands }) => (operands.length > 1 ? network : [])),
  program("route", ({ operands }) => (operands.length > 0 ? network : []), { options: { short: "A" } }),
  onlyWithOption("arp", "d s f", network, { short: "iHA" }),
  changes("ifup ifdown dhclient dhcpcd rfkill", network),
  program("nmcli", connections, {
    options: { short: "fgme", long: ["fields", "get-values", "mode", "escape"] },
    verbs: 2,
  }),
  unlessOption(
    "iptables ip6tables iptables-legacy iptables-nft arptables ebtables",
    "L list S list-rules V C check",
    firewall,
  ),
  shows("iptables-save ip6tables-save getenforce sestatus apparmor_status aa-status"),
  changes("iptables-restore ip6tables-restore iptables-apply", firewall),
  unlessVerb("nft", "list describe", firewall, { short: "I", long: ["includepath"] }),
  unlessVerb("ufw", "status show version app", firewall),
  program("firewall-cmd", ({ options }) =>
    options.every(({ name }) => /^(?:list|get|query|state|info|zone|permanent|version|help)/u.test(name))
      ? []
      : firewall,
  ),
  unlessVerb("ipset", "list test save", firewall),
  onlyWithOption("pfctl", "f F e d k a t", firewall, { short: "fFktaspi" }),
  unlessOption("ethtool", "i k S T a g c l m P", network),
  unlessVerb("tc bridge", "show list ls monitor qdisc class filter", network),
  changes("brctl iwconfig wpa_cli wpa_supplicant iwctl", network),
];

const settingPrograms: readonly Program[] = [
  changes(
    "setenforce setsebool semanage aa-enforce aa-complain aa-disable aa-teardown apparmor_parser restorecond",
    [danger("high", "it weakens or changes the system's protection")],
  ),
  unlessVerb("networkctl coredumpctl", "status list lldp info dump", settings),
  unlessOption("update-alternatives alternatives", "display list query get-selections V", settings),
  unlessOption("ldconfig", "p print-cache N", [danger("high", "it changes which libraries programs load")]),
  changes(
    "locale-gen dpkg-reconfigure debconf-set-selections update-locale a2enmod a2ensite a2dismod a2dissite",
    settings,
  ),
  program("gsettings dconf xdg-settings xdg-mime kwriteconfig5", desktop, { verbs: 2 }),
  changes("xdotool ydotool wtype cliclick", [
    danger("high", "it types and clicks in other programs' windows"),
  ]),
];

export const administration: readonly Program[] = [
  ...services,
  ...planning,
  ...accounts,
  ...networking,
  ...settingPrograms,
];

const showsUnits =
  /^(?:status|show|is-.*|list-.*|cat|get-default|help|show-environment|log-level|service-log-level|whoami)$/u;
const powers =
  /^(?:poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|emergency|soft-reboot|exit|isolate|default|switch-root|sleep)$/u;
const persists =
  /^(?:enable|reenable|link|edit|preset|preset-all|add-wants|add-requires|set-default|unmask|set-environment|import-environment)$/u;

function managed(use: Use): Effect[] {
  const [verb] = use.operands;
  if (verb === undefined || showsUnits.test(verb.text) || asksAboutItself(use)) return [];
  if (powers.test(verb.text))
    return [danger("critical", "it turns the machine off or stops what runs on it")];
  return persists.test(verb.text) ? [startsAtBoot] : starts;
}

function sessions({ operands: [verb] }: Use): Effect[] {
  if (verb === undefined || /^(?:list-.*|.*-status|show-.*|list)$/u.test(verb.text)) return [];
  if (powers.test(verb.text)) return [danger("critical", "it turns the machine off")];
  if (verb.text === "enable-linger") return [startsAtBoot];
  return [danger("high", "it changes or ends sessions of users")];
}

function serviceWords({ operands }: Use): Effect[] {
  const shown = operands.some(({ text }) =>
    /^(?:status|list|summary|avail|version|help|check|tail|pid)$/u.test(text),
  );
  return operands.length === 0 || shown ? [] : starts;
}

/** A message to a system service can request anything. */
function messages({ name, operands, words }: Use): Effect[] {
  const [verb] = operands;
  if (name === "qdbus") return operands.length > 2 ? [bySystem] : [];
  if (name === "dbus-send")
    return words.some(({ text }) => /Introspect|ListNames|Get(?:All)?$/u.test(text)) ? [] : [bySystem];
  return verb && /^(?:call|emit|set-property)$/u.test(verb.text) ? [bySystem] : [];
}

const bySystem = danger("high", "it has another program of the system do something");

/** `crontab file` and `crontab -` replace the schedule, `-e` opens it in an editor. */
function* plan({ operands, has }: Use): Iterable<Effect> {
  if (has("l", "V", "T", "help")) return;
  if (has("r", "d")) yield unplans;
  else yield plans;
  yield* reads(operands.filter(({ text }) => text !== "-"));
}

/** The commands on its standard input run later. */
function* later({ operands, has, values }: Use): Iterable<Effect> {
  if (has("l", "V", "c", "help", "version")) return;
  if (has("r", "d")) {
    yield unplans;
    return;
  }
  yield plans;
  const files = values("f");
  for (const file of files) yield loads(file, "shell");
  if (files.length === 0 && (operands.length > 0 || !has("v")))
    yield { type: "interprets-input", language: "shell" };
}

const mighty = /(?:^|,)(?:sudo|wheel|admin|root|docker|podman|lxd|lxc|libvirt|disk|shadow|kvm|adm)(?:,|$)/u;

function* member(use: Use): Iterable<Effect> {
  if (asksAboutItself(use)) return;
  const groups = [...use.values("G", "groups", "g", "gid", "ingroup"), ...use.operands];
  yield* groups.some(({ text }) => mighty.test(text)) ? [rights] : users;
}

const showsAddresses = /^(?:s(?:h(?:o(?:w)?)?)?|l(?:s|i(?:s(?:t)?)?)?|g(?:e(?:t)?)?|monitor|help)$/u;

/** `ip address show`, `ip netns exec name command`. */
function* addresses(use: Use): Iterable<Effect> {
  const [object, verb, ...rest] = use.operands;
  if (use.has("b", "batch") || object === undefined) {
    if (use.has("b", "batch")) yield* network;
    return;
  }
  if (/^(?:netns|vrf)$/u.test(object.text) && verb?.text === "exec") {
    yield danger("high", "it runs a command in another network");
    yield* command(rest.slice(1));
    return;
  }
  const isShown =
    verb === undefined ||
    showsAddresses.test(verb.text) ||
    object.text === "monitor" ||
    object.text === "help";
  if (!isShown) yield* network;
}

function connections({ operands }: Use): Effect[] {
  const shown = /^(?:show|status|list|monitor|permissions|logging|hostname|connectivity|help|s|sh)$/u;
  const [group, verb, third] = operands;
  const last = third && /^(?:list|show)$/u.test(third.text) ? third : verb;
  return group === undefined ||
    last === undefined ||
    shown.test(last.text) ||
    /^(?:g|monitor)/u.test(group.text)
    ? []
    : network;
}

/** Desktop settings may name programs to start. */
function desktop({ operands: [verb] }: Use): Effect[] {
  const shown = /^(?:get|list-.*|range|describe|writable|monitor|read|list|dump|query|check|watch|help)$/u;
  return verb === undefined || shown.test(verb.text) ? [] : settings;
}
