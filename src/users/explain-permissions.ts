import { sql } from 'kysely'
import { effectiveGrants } from '../access/effective-permissions.ts'
import { factors, firstFactorOf } from '../access/factors.ts'
import { isSessionActiveAt } from '../access/session-expiry.ts'
import { userNotFound } from '../accounts/refusals.ts'
import { signsInByPasskey } from '../accounts/signs-in-by-passkey.ts'
import { passwordPolicyOf, type StoredPolicy, signInPolicyOf } from '../organisations/rules.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import type { BreachedPasswords } from '../passwords/breached-passwords.ts'
import type { Tenant } from '../platform/database/database.ts'
import { presentTime } from '../platform/http/fields.ts'
import { invalidInput, unknownName } from '../platform/http/problem.ts'
import { findPermissionsBySlug } from '../roles/permissions/queries.ts'
import { permissionNotFound } from '../roles/permissions/refusals.ts'
import { sourcesOf } from '../roles/sources.ts'
import { decideNextStep, type SignInState } from '../sign-in/rules.ts'
import type { AskedCheck, Because, Blocker, PermissionCheck, UserPermissions } from './permission-schemas.ts'

/** The operator's requirements of every sign-in. */
export interface SignInDemands {
  replacesBreached: boolean
  /** The relying party whose passkeys sign in. */
  relyingParty: RelyingParty
}

export interface SignInSettings {
  breachedPasswords: BreachedPasswords | undefined
  relyingParty: RelyingParty
}

export const demandsOf = ({ breachedPasswords, relyingParty }: SignInSettings): SignInDemands => ({
  replacesBreached: breachedPasswords?.atSignIn === 'change',
  relyingParty,
})

/**
 * Whether users could use permissions at this moment, and why: the roles that
 * give them, the obstacles, and the roles that would give missing ones.
 *
 * @param path the path of the checks in the body; empty for a single one, which is the body itself
 * @throws Problem `bad-request` pointing at each unknown user and permission; `not-found` for the user of a single check
 */
export async function checkPermissions(
  tenant: Tenant,
  checks: readonly AskedCheck[],
  path: string[],
  demands: SignInDemands,
): Promise<PermissionCheck[]> {
  const known = await findPermissionsBySlug(
    tenant,
    checks.map(({ permission }) => permission),
  )
  const found = await findChecks(tenant, checks, demands)
  if (path.length === 0 && found.some(({ isKnown }) => !isKnown)) throw userNotFound()
  const pathOf = (index: number, field: string) => (path.length > 0 ? [...path, index, field] : [field])
  const mistakes = checks.flatMap(({ permission }, index) => [
    ...(found[index]?.isKnown ? [] : [unknownName(pathOf(index, 'userId'), userNotFound)]),
    ...(known.has(permission) ? [] : [unknownName(pathOf(index, 'permission'), permissionNotFound)]),
  ])
  if (mistakes.length > 0) throw invalidInput(mistakes)
  return found.map(({ userId, permission, grants, wouldAllow, ...state }) => {
    const because = grants.map(presentGrant)
    const blockedBy = blockersOf(state, demands, tenant.now)
    return { userId, permission, allowed: because.length > 0 && blockedBy.length === 0, because, blockedBy, wouldAllow }
  })
}

/**
 * Each permission that a user's roles give, with those roles, and the obstacles to using them.
 *
 * @throws Problem `not-found`
 */
export async function listPermissionsOf(tenant: Tenant, userId: string, demands: SignInDemands): Promise<UserPermissions> {
  const [found] = await findChecks(tenant, [{ userId, permission: null }], demands)
  if (!found?.isKnown) throw userNotFound()
  const bySlug = Map.groupBy(found.grants, ({ slug }) => slug)
  const data = [...bySlug].map(([permission, grants]) => ({ permission, because: grants.map(presentGrant) }))
  return { data, total: data.length, blockedBy: blockersOf(found, demands, tenant.now) }
}

interface Grant {
  slug: string
  role: Because['role']
  sources: Because['sources']
  assignedAt: string
  assignedBy: Because['assignedBy']
}

const presentGrant = ({ role, sources, assignedAt, assignedBy }: Grant): Because => ({
  role,
  source: 'direct',
  sources,
  assignedAt: presentTime(new Date(assignedAt)),
  assignedBy,
})

interface UserState extends Pick<SignInState, 'mfaEnabled' | 'requireMfa' | 'passwordChangedAt'> {
  blockedAt: Date | null
  organisationStatus: string
  passwordPolicy: StoredPolicy
  passwordBreachedAt: Date | null
  signInPolicy: StoredPolicy
  /** Whether one of the user's passkeys signs in. */
  hasPasskey: boolean
  /** Whether the user has an active session that awaits nothing. */
  isSignedIn: boolean
}

/** A user who is signed in is not affected by the obstacles of a sign-in. */
function blockersOf(
  { blockedAt, organisationStatus, passwordPolicy, passwordBreachedAt, signInPolicy, hasPasskey, isSignedIn, ...state }: UserState,
  { replacesBreached }: SignInDemands,
  now: Date,
): Blocker[] {
  const { maxAgeDays, refuseBreached } = passwordPolicyOf(passwordPolicy)
  const policy = signInPolicyOf(signInPolicy)
  // A user with a passkey can sign in by it.
  const first = factors[hasPasskey && policy.passkeys !== 'off' ? firstFactorOf({ maySync: true }, policy) : 'password']
  const proven = state.mfaEnabled ? [first, factors.totp] : [first]
  const nextStep = (passwords: Pick<SignInState, 'passwordMaxAgeDays' | 'passwordIsBreached'>) =>
    decideNextStep({ ...state, ...passwords, mustProvePasskey: false, lacksPasskey: false }, proven, now)
  const withAnyPassword = nextStep({ passwordMaxAgeDays: undefined, passwordIsBreached: false })
  const passwordIsBreached = replacesBreached && refuseBreached && passwordBreachedAt !== null
  const withThisPassword = nextStep({ passwordMaxAgeDays: maxAgeDays, passwordIsBreached })
  return [
    ...(blockedAt ? (['blocked'] as const) : []),
    ...(organisationStatus === 'suspended' ? (['suspended'] as const) : []),
    ...(!isSignedIn && withAnyPassword === 'enrolment' ? (['mfa_enrolment'] as const) : []),
    ...(!isSignedIn && policy.passkeys === 'required' && !hasPasskey ? (['passkey_enrolment'] as const) : []),
    ...(!isSignedIn && withThisPassword === 'new_password' ? (['password_expired'] as const) : []),
  ]
}

interface FoundCheck extends UserState {
  userId: string
  permission: string
  isKnown: boolean
  grants: Grant[]
  wouldAllow: PermissionCheck['wouldAllow']
}

const rolesOffered = 20

/**
 * Runs the checks in their order, in one statement. A permission of null
 * is every one. The entry of the assignment names who assigned a role.
 */
async function findChecks(
  tenant: Tenant,
  checks: readonly { userId: string; permission: string | null }[],
  { relyingParty: { id: rpId } }: SignInDemands,
): Promise<FoundCheck[]> {
  const userIds = checks.map(({ userId }) => userId)
  const slugs = checks.map(({ permission }) => permission)
  const { rows } = await sql<FoundCheck>`
    select asked.user_id, asked.permission, u.id is not null as is_known, u.blocked_at, u.mfa_enabled, u.password_changed_at,
      u.password_breached_at,
      o.status as organisation_status, o.require_mfa, o.password_policy, o.sign_in_policy,
      ${signsInByPasskey('u', rpId)} as has_passkey,
      exists (select from sessions s where s.organisation_id = u.organisation_id and s.user_id = u.id and not s.awaits_mfa_enrolment
        and ${isSessionActiveAt('s', tenant.now)}) as is_signed_in,
      held.grants,
      (select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'slug', r.slug) order by r.name, r.id), '[]') from (
        select * from roles where organisation_id = u.organisation_id and permission_slugs @> array[asked.permission]
          and json_array_length(held.grants) = 0 order by name, id limit ${rolesOffered}) r) as would_allow
    from unnest(${userIds}::text[], ${slugs}::text[]) with ordinality as asked (user_id, permission, place)
    left join users u on u.organisation_id = ${tenant.organisationId} and u.id = asked.user_id and u.deleted_at is null
    left join organisations o on o.id = u.organisation_id
    cross join lateral (
      select coalesce(json_agg(json_build_object('slug', p.slug, 'role', json_build_object('id', role.id, 'name', role.name, 'slug', role.slug),
        'sources', ${sourcesOf('user_roles', 'ur')}, 'assignedAt', ur.created_at, 'assignedBy', (
          select json_build_object('id', a.actor_id, 'type', a.actor_type, 'name', a.actor_name) from audit_logs a
          where a.organisation_id = ur.organisation_id and a.target_id = ur.user_id and a.action = 'role.assigned'
            and a.created_at = ur.created_at and a.metadata ->> 'roleId' = ur.role_id
          limit 1)) order by p.slug, role.name, role.id), '[]') as grants
      ${sql.raw(effectiveGrants('u.organisation_id', 'u.id'))} and (asked.permission is null or p.slug = asked.permission)
    ) held
    order by asked.place`.execute(tenant)
  return rows
}
