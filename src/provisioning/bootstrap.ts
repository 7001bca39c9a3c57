import { systemActor } from '../activity/actor.ts'
import { countOrganisations } from '../organisations/queries.ts'
import { passwordPolicyOf } from '../organisations/rules.ts'
import type { BreachedPasswords } from '../passwords/breached-passwords.ts'
import { isCommonPassword } from '../passwords/common-passwords.ts'
import { passwordBreached } from '../passwords/refusals.ts'
import { mistakesOf } from '../passwords/rules.ts'
import type { PasswordHasher } from '../platform/crypto/password-hasher.ts'
import { newSecret } from '../platform/crypto/secrets.ts'
import type { Database } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { UnprintedSecret } from '../platform/unprinted-secret.ts'
import { createOrganisationRecords } from './create-organisation.ts'

export interface Bootstrap {
  slug: string
  email: string
  /** Undefined to generate a random one. */
  password: string | undefined
}

interface Bootstrapping {
  database: Database
  passwordHasher: PasswordHasher
}

/** Whether the database contains no organisation yet. */
export async function isEmpty(database: Database): Promise<boolean> {
  return (await countOrganisations(database.system())) === 0
}

/**
 * Checks the first owner's password by the rules for every other password. It is
 * looked up among breached ones only in a file: a start calls no other computer.
 *
 * @throws Error naming the variable and the mistake, never the password
 */
export async function checkBootstrap({ email, password }: Bootstrap, breachedPasswords: BreachedPasswords | undefined): Promise<void> {
  if (password === undefined) return
  const context = { isCommon: await isCommonPassword(password), personalWords: [email] }
  const [mistake] = mistakesOf(password, passwordPolicyOf(null), context)
  const isBreached = !mistake && breachedPasswords?.isLocal && (await breachedPasswords.isBreached(password))
  const message = isBreached ? passwordBreached('password').errors?.[0]?.message : mistake?.message
  if (message !== undefined) throw new Error(`BOOTSTRAP_OWNER_PASSWORD is not usable: ${message}`)
}

/**
 * Creates the first organisation and its owner if none exists. It is safe to repeat: it finds one whose commit got no response.
 *
 * @returns the credentials, undefined when another process was first
 */
export async function createFirstOrganisation(bootstrapping: Bootstrapping, bootstrap: Bootstrap, unprinted?: UnprintedSecret) {
  const created = (await isEmpty(bootstrapping.database)) ? await bootstrapOrganisation(bootstrapping, bootstrap, unprinted) : undefined
  return created ?? (unprinted && unprintedOrganisation(bootstrapping, bootstrap, unprinted))
}

/**
 * Creates the first organisation and its owner. Of processes that start at the same time, one succeeds: the slug is unique.
 *
 * @returns the credentials, undefined when another process was first
 */
async function bootstrapOrganisation(
  { database, passwordHasher }: Bootstrapping,
  { slug, email, password }: Bootstrap,
  unprinted?: UnprintedSecret,
) {
  const chosen = password ?? newSecret().slice(0, 20)
  // Store it before the owner exists: a process killed in between would otherwise leave an owner whose password is lost.
  if (password === undefined) await unprinted?.store(chosen)
  const passwordHash = await passwordHasher.hash(chosen)
  const name = slug.replace(/(^|-)(\w)/g, (_, hyphen: string, letter: string) => (hyphen ? ' ' : '') + letter.toUpperCase())
  const input = { name, slug, email, ownerEmail: email }
  try {
    await database.transaction(newId('org', database.clock.now()), (tenant) =>
      createOrganisationRecords(tenant, systemActor, input, { status: 'active', passwordHash }),
    )
  } catch (error) {
    if (await isEmpty(database)) throw error
    return undefined
  }
  return { slug, email, password: chosen, generated: password === undefined }
}

/** The credentials of an organisation that an earlier start created without printing them; undefined if no such credentials are stored. */
export async function unprintedOrganisation(
  { database, passwordHasher }: Bootstrapping,
  { slug, email }: Bootstrap,
  unprinted: UnprintedSecret,
) {
  const password = await unprinted.read()
  if (password === undefined) return undefined
  const owner = await database.system().selectFrom('users').select('passwordHash').where('email', '=', email).executeTakeFirst()
  return (await passwordHasher.match(owner?.passwordHash, password)) ? { slug, email, password, generated: true } : undefined
}
