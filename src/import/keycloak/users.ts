import { whyHashRefused } from '../../passwords/foreign-hashes/why-refused.ts'
import type { ImportReport } from '../report.ts'
import type { SourceRecord } from '../source.ts'
import { passwordHashOf, totpSecretOf } from './credentials.ts'
import type { Realm, RealmUser } from './realm.ts'
import { notInFile, type RealmRoles } from './roles.ts'

const missingName = '-'

export function* usersOfRealm({ users }: Realm, roles: RealmRoles, report: ImportReport): Generator<SourceRecord> {
  for (const [index, user] of users.entries()) {
    const { username, email } = user
    if (user.serviceAccountClientId) report.left('service accounts', 'a client acts for itself here, without a user', username)
    else if (!email) report.left('users without an e-mail address', 'users sign in by it here', username)
    else yield { place: `user ${index + 1} (${username})`, value: userOf({ ...user, email }, roles, report) }
  }
}

function userOf(user: RealmUser & { email: string }, roles: RealmRoles, report: ImportReport): object {
  const { email, username, attributes } = user
  report.taken('users', 'as users of the organisation', email)
  const [firstName, lastName] = [user.firstName?.trim(), user.lastName?.trim()]
  if (!firstName || !lastName) report.changed('users without a name', `the user name or "${missingName}" stands in its place`, email)
  if (!user.enabled) report.taken('disabled users', 'as blocked users', email)
  if (user.federatedIdentities.length > 0)
    report.left('links with identity providers', 'made again at the first sign-in there, by the e-mail address', email)
  for (const role of roles.unknownOf(user)) report.left('roles of users', notInFile, role)
  const groups = user.groups.flatMap((path) => {
    const group = roles.group(path)
    if (!group) report.left('groups of users', notInFile, path)
    return group ?? []
  })
  const given = [...new Set([...roles.slugsOf(user), ...groups.flatMap((group) => group.roles)])]
  const [phone] = attributes.phoneNumber ?? attributes.phone_number ?? attributes.phone ?? []
  return {
    email,
    firstName: firstName || username,
    lastName: lastName || missingName,
    ...(phone && { phone }),
    emailVerified: user.emailVerified && !user.requiredActions.includes('VERIFY_EMAIL'),
    ...(user.createdTimestamp && { createdAt: timeOf(user.createdTimestamp) }),
    ...(given.length > 0 && { roles: given }),
    teams: groups.map(({ team }) => team.slug),
    blocked: !user.enabled,
    metadata: { username, ...(Object.keys(attributes).length > 0 && { attributes }) },
    ...credentialsOf({ ...user, email }, report),
    ...(user.id && { externalId: user.id }),
  }
}

/** The time in ISO 8601; of what is no time, the number, which the check refuses with its place. */
const timeOf = (milliseconds: number) =>
  Number.isNaN(new Date(milliseconds).getTime()) ? String(milliseconds) : new Date(milliseconds).toISOString()

function credentialsOf({ email, credentials, requiredActions }: RealmUser & { email: string }, report: ImportReport): object {
  let passwordHash: string | undefined
  let totpSecret: string | undefined
  for (const credential of credentials) {
    if (credential.type === 'password') passwordHash ??= takeHash(credential, email, report)
    else if (credential.type === 'otp' && totpSecret === undefined) {
      totpSecret = totpSecretOf(credential)
      if (totpSecret) report.taken('authenticator apps', 'as second factors', email)
      else report.left('one-time codes of another kind', 'codes have six digits, each 30 seconds, by SHA-1: the user enrols again', email)
    } else report.left(`credentials of the type ${credential.type}`, 'the user enrols again', email)
  }
  for (const action of requiredActions) {
    if (action === 'UPDATE_PASSWORD') {
      passwordHash = undefined
      report.changed('required action UPDATE_PASSWORD', 'the old password is left: a link by mail sets another one', email)
    } else if (action === 'VERIFY_EMAIL') report.changed('required action VERIFY_EMAIL', 'the address counts as not verified', email)
    else report.left(`required action ${action}`, 'the policy of the organisation asks for such things', email)
  }
  return { ...(passwordHash && { passwordHash }), ...(totpSecret && { totpSecret }) }
}

function takeHash(credential: RealmUser['credentials'][number], email: string, report: ImportReport): string | undefined {
  const hash = passwordHashOf(credential)
  const why = hash === undefined ? 'the algorithm is unknown' : whyHashRefused(hash)
  if (why === undefined) report.taken('passwords', 'verified at the next sign-in, and hashed by ours then', email)
  else report.left('passwords', `${why}: a link by mail sets another one`, email)
  return why === undefined ? hash : undefined
}
