import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { z } from 'zod'
import { whyHashRefused } from '../../passwords/foreign-hashes/why-refused.ts'
import type { ImportReport } from '../report.ts'
import { mistakesOf, type SourceRecord, type UserSource } from '../source.ts'
import { readJsonFile } from '../text-file.ts'
import { jsonLinesOf } from '../users-file.ts'
import { CustomPasswordHash, customHashOf } from './custom-password-hash.ts'

const text = () => z.string().nullish()

/** The fields of a user that we read: from the export of users, the export of password hashes, and the files of a bulk import. */
const Auth0User = z.looseObject({
  user_id: text(),
  _id: z.union([z.string(), z.object({ $oid: z.string() })]).nullish(),
  email: text(),
  email_verified: z.boolean().nullish(),
  username: text(),
  given_name: text(),
  family_name: text(),
  name: text(),
  nickname: text(),
  phone_number: text(),
  blocked: z.boolean().nullish(),
  created_at: text(),
  user_metadata: z.record(z.string(), z.unknown()).nullish(),
  app_metadata: z.record(z.string(), z.unknown()).nullish(),
  password_hash: text(),
  passwordHash: text(),
  custom_password_hash: CustomPasswordHash.nullish(),
  mfa_factors: z.array(z.looseObject({ totp: z.looseObject({ secret: z.string() }).optional() })).nullish(),
  identities: z.array(z.looseObject({ provider: text() })).nullish(),
})
type Auth0User = z.output<typeof Auth0User>

export interface Auth0Files {
  path: string
  /** The export of password hashes, which Auth0 provides on request. */
  hashesPath?: string | undefined
}

/** Users of Auth0, one a line, or as the array of a bulk import. */
export function auth0Users({ path, hashesPath }: Auth0Files, report: ImportReport): UserSource {
  return {
    name: basename(path),
    async *records() {
      report.restart()
      const hashes = hashesPath === undefined ? new Map<string, string>() : await readHashes(hashesPath)
      for await (const record of recordsOf(path)) {
        if ('mistake' in record) yield record
        else yield* userOf(record, hashes, report)
      }
    },
  }
}

function* userOf({ place, value }: { place: string; value: unknown }, hashes: ReadonlyMap<string, string>, report: ImportReport) {
  const { data: user, error } = Auth0User.safeParse(value)
  if (!user) {
    const [mistake = ''] = mistakesOf(error)
    yield { place, mistake }
    return
  }
  const id = idOf(user)
  const { email } = user
  if (!email && id === '' && !user.phone_number && !user.username) {
    yield { place, mistake: 'it is no user of Auth0: it has neither user_id nor email' }
    return
  }
  if (!email) {
    report.left('users without an e-mail address', 'users sign in by it here', user.phone_number ?? user.username ?? id)
    return
  }
  report.taken('users', 'as users of the organisation', email)
  const [firstName, lastName] = namesOf({ ...user, email })
  if (!user.given_name?.trim() || !user.family_name?.trim())
    report.changed('names', 'made of name, nickname or address where a part is missing', email)
  const others = user.identities?.filter(({ provider }) => provider && provider !== 'auth0') ?? []
  if (others.length > 0) report.left('identities of other providers', 'linked again at the first sign-in there, by the address', email)
  const passwordHash = hashOf(user, hashes.get(id), report, email)
  const totpSecret = user.mfa_factors?.find(({ totp }) => totp)?.totp?.secret
  if (totpSecret) report.taken('authenticator apps', 'as second factors', email)
  if (user.mfa_factors?.some(({ totp }) => !totp)) report.left('second factors by phone and mail', 'the user enrols again', email)
  const metadata = {
    ...(user.username && { username: user.username }),
    ...(user.user_metadata && { user_metadata: user.user_metadata }),
    ...(user.app_metadata && { app_metadata: user.app_metadata }),
  }
  yield {
    place,
    value: {
      email,
      firstName,
      lastName,
      ...(user.phone_number && { phone: user.phone_number }),
      emailVerified: user.email_verified ?? false,
      ...(user.created_at && { createdAt: user.created_at }),
      blocked: user.blocked ?? false,
      metadata,
      ...(passwordHash && { passwordHash }),
      ...(totpSecret && { totpSecret }),
      ...(id && { externalId: user.user_id ?? id }),
    },
  }
}

function hashOf(user: Auth0User, exported: string | undefined, report: ImportReport, email: string): string | undefined {
  const given = user.password_hash ?? user.passwordHash ?? exported
  const custom = user.custom_password_hash ? customHashOf(user.custom_password_hash) : undefined
  if (!given && !custom) {
    report.left('users without a password', 'a link by mail sets one, or they sign in by a connection', email)
    return undefined
  }
  const hash = given ?? custom?.hash
  const why = hash === undefined ? custom?.why : whyHashRefused(hash)
  if (why === undefined) report.taken('passwords', 'verified at the next sign-in, and hashed by ours then', email)
  else report.left('passwords', `${why}: a link by mail sets another one`, email)
  return why === undefined ? hash : undefined
}

/** The id without the prefix of the connection, as in the export of hashes. */
function idOf({ user_id, _id }: Auth0User): string {
  const id = user_id ?? (typeof _id === 'string' ? _id : _id?.$oid) ?? ''
  return id.replace(/^auth0\|/, '')
}

function namesOf({ name, email, ...user }: Auth0User & { email: string }): [string, string] {
  const [given, family, nickname] = [user.given_name?.trim(), user.family_name?.trim(), user.nickname?.trim()]
  const whole = name && name !== email ? name.trim() : ''
  const blank = whole.lastIndexOf(' ')
  const [first, last] = blank > 0 ? [whole.slice(0, blank), whole.slice(blank + 1)] : [whole, '']
  return [given || first || nickname || (email.split('@')[0] ?? email), family || last || '-']
}

async function readHashes(path: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  for await (const record of recordsOf(path)) {
    if ('mistake' in record) throw new Error(`${path}: ${record.place}: ${record.mistake}`)
    const user = Auth0User.safeParse(record.value).data
    if (!user?.passwordHash) throw new Error(`${path}: ${record.place} has no passwordHash`)
    hashes.set(idOf(user), user.passwordHash)
  }
  return hashes
}

/** The records of a file: JSON lines, or one array. */
async function* recordsOf(path: string): AsyncGenerator<SourceRecord> {
  if (!(await isArray(path))) return yield* jsonLinesOf(path)
  const users = await readJsonFile(path)
  if (!Array.isArray(users)) yield { place: 'line 1', mistake: 'neither JSON lines nor an array', isOfFile: true }
  else if (users.length === 0) yield { place: 'line 1', mistake: 'the array is empty', isOfFile: true }
  else for (const [index, user] of users.entries()) yield { place: `user ${index + 1}`, value: user }
}

async function isArray(path: string): Promise<boolean> {
  for await (const beginning of createReadStream(path, { end: 4_095 })) return /^\s*\[/.test(String(beginning))
  return false
}
