/** The one place that decides what a person may do. */

import { includes, type Right } from "../../protocol/rights.ts";
import { type Belonging, everybody, type Viewer } from "../../session/team.ts";

/**
 * `reader`: reads what is shared. `member`: has sessions of their own as well. `owner`: has all sessions of the tenant.
 * `administrator`: has everything.
 */
export const roles = ["reader", "member", "owner", "administrator"] as const;
export type Role = (typeof roles)[number];

/** Whoever shows a personal token. `most`: what that token is for. */
export type Person = {
  /** An e-mail address, by which the log names them. */
  id: string;
  tenant: string;
  role: Role;
  most: Right;
  /** Of the tenant: its sessions work in it, and below it. */
  workspace: string;
};

/** What the role includes at all; with which sessions is another question. */
const roleRights = {
  reader: "read",
  member: "work",
  owner: "work",
  administrator: "manage",
} satisfies Record<Role, Right>;

/** Whether this may be done by the person with some session, or with none. */
export const mayAtAll = ({ role, most }: Pick<Person, "role" | "most">, right: Right): boolean =>
  includes(most, right) && includes(roleRights[role], right);

/** Whether it may be done with this session; one without a belonging is nobody's. */
export function may(person: Person, right: Right, session: Belonging | undefined): boolean {
  if (!mayAtAll(person, right)) return false;
  if (person.role === "administrator") return true;
  if (session?.tenant !== person.tenant) return false;
  if (person.role === "owner" || session.person === person.id) return true;
  const shared = [session.shared.get(person.id), session.shared.get(everybody)];
  return shared.some((given) => given !== undefined && includes(given, right));
}

/** Whose lists the person sees; undefined for everybody's. */
export function viewerOf({ id, tenant, role }: Person): Viewer | undefined {
  if (role === "administrator") return undefined;
  return role === "owner" ? { tenant } : { tenant, person: id };
}
