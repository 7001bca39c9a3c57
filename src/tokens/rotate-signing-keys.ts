import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'jose'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { exportJWK } from 'jose/key/export'
import { type Actor, systemActor } from '../activity/actor.ts'
import { recordForWholeDatabase } from '../activity/record-for-every-organisation.ts'
import { secondsAfter } from '../platform/clock.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { SigningAlgorithm } from '../platform/database/column-types.ts'
import type { Database, System } from '../platform/database/database.ts'
import { channels, lockUntilCommit, notify } from '../platform/database/locks-and-channels.ts'
import type { Task } from '../platform/jobs/tasks.ts'
import { signingKeyPending } from './refusals.ts'
import { jwtSecondsMax, publishedAheadSeconds, signingKeyAt, signsForSeconds, stateOf } from './rules.ts'

interface Rotation {
  withdraw: boolean
  /** How long a key is published before it signs. */
  aheadSeconds: number
}

interface KeyState {
  id: string
  algorithm: SigningAlgorithm
  signsFrom: Date
  retiresAt: Date | null
}

/** Creates the first key of an algorithm, which signs at once; of several concurrent processes, one creates it. */
export async function addSigningKey(database: Database, keyring: Keyring, algorithm: SigningAlgorithm): Promise<void> {
  const key = await makeKey(keyring, algorithm)
  await changeKeys(database, async (system, keys) => {
    if (!signingKeyAt(keys, algorithm, system.now)) await insertKey(system, key, system.now)
  })
}

/**
 * Creates the next key of each algorithm in use. It is published now, signs once every verifier has had time to fetch it, and its
 * predecessor stays published until its last signature has expired.
 *
 * @param withdraw for a key that is no longer secret: the new keys sign at once and the others' signatures become invalid
 * @param aheadSeconds how long the new keys are published before they sign; only the test mode shortens it
 * @returns every published key with its state
 * @throws Problem `conflict` while the latest key of each algorithm does not sign yet
 */
export async function rotateSigningKeys(
  database: Database,
  keyring: Keyring,
  actor: Actor,
  { withdraw = false, aheadSeconds = publishedAheadSeconds } = {},
) {
  const made = await Promise.all((await algorithmsInUse(database)).map((algorithm) => makeKey(keyring, algorithm)))
  await changeKeys(database, async (system, keys) => {
    if (!(await replaceKeys(system, actor, keys, made, { withdraw, aheadSeconds }))) throw signingKeyPending()
  })
  return listSigningKeys(database)
}

/** Every published key with its state, without its private part. */
export async function listSigningKeys(database: Database) {
  const now = database.clock.now()
  const keys = await database
    .systemListReads()
    .selectFrom('signingKeys')
    .select(['id', 'algorithm', 'createdAt', 'signsFrom', 'retiresAt'])
    .where((key) => key.or([key('retiresAt', 'is', null), key('retiresAt', '>', now)]))
    .orderBy('algorithm')
    .orderBy('signsFrom')
    .orderBy('id')
    .execute()
  return keys.map((key) => ({ ...key, state: stateOf(key, keys, now) }))
}

/** Whether the newest signing key was encrypted with a key of the keyring; true without a signing key. */
export async function canReadSigningKeys(database: Database, keyring: Keyring): Promise<boolean> {
  const newest = await database
    .system()
    .selectFrom('signingKeys')
    .select(['id', 'privateKeyEncrypted'])
    .orderBy('signsFrom', 'desc')
    .limit(1)
    .executeTakeFirst()
  try {
    if (newest) keyring.decrypt(newest.privateKeyEncrypted, newest.id)
    return true
  } catch {
    return false
  }
}

/** Replaces keys that have signed for long enough, and removes those whose last signature has expired. */
export const rotateDueSigningKeys = (keyring: Keyring): Task => ({
  name: 'rotate-signing-keys',
  everySeconds: 3_600,
  async run(database) {
    const system = database.system()
    await system.deleteFrom('signingKeys').where('retiresAt', '<', system.now).execute()
    const newest = new Map((await readStates(system)).map((key) => [key.algorithm, key]))
    const due = [...newest.values()].filter(({ signsFrom }) => secondsAfter(signsFrom, signsForSeconds) <= system.now)
    if (due.length === 0) return false
    const made = await Promise.all(due.map(({ algorithm }) => makeKey(keyring, algorithm)))
    await changeKeys(database, async (all, keys) => {
      await replaceKeys(all, systemActor, keys, made, { withdraw: false, aheadSeconds: publishedAheadSeconds })
    })
    return false
  },
})

/** @returns whether a key was replaced, which the audit log of each organisation then records */
async function replaceKeys(
  system: System,
  actor: Actor,
  keys: readonly KeyState[],
  made: readonly MadeKey[],
  rotation: Rotation,
): Promise<boolean> {
  let replaced = 0
  for (const key of made) if (await replaceKey(system, keys, key, rotation)) replaced++
  if (replaced > 0)
    await recordForWholeDatabase(system, actor, { action: 'signing_keys.rotated', metadata: { withdraw: rotation.withdraw } })
  return replaced > 0
}

/** @returns whether it was replaced: a key that does not sign yet is not, unless the new one signs at once */
async function replaceKey(system: System, keys: readonly KeyState[], key: MadeKey, { withdraw, aheadSeconds }: Rotation): Promise<boolean> {
  const sameAlgorithm = keys.filter(({ algorithm }) => algorithm === key.algorithm)
  if (!withdraw && aheadSeconds > 0 && sameAlgorithm.some(({ signsFrom }) => signsFrom > system.now)) return false
  const signsFrom = withdraw ? system.now : secondsAfter(system.now, aheadSeconds)
  await system
    .updateTable('signingKeys')
    .set({ retiresAt: withdraw ? system.now : secondsAfter(signsFrom, jwtSecondsMax) })
    .where('algorithm', '=', key.algorithm)
    .$if(!withdraw, (query) => query.where('retiresAt', 'is', null))
    .execute()
  await insertKey(system, key, signsFrom)
  return true
}

/** Runs a change in one process at a time, with the then current keys, and notifies the others. */
async function changeKeys(database: Database, change: (system: System, keys: KeyState[]) => Promise<void>): Promise<void> {
  await database.systemTransaction(async (system) => {
    await lockUntilCommit(system, 'signingKeys')
    await change(system, await readStates(system))
    await notify(system, channels.signingKeys)
  })
}

async function algorithmsInUse(database: Database): Promise<SigningAlgorithm[]> {
  return [...new Set((await readStates(database.system())).map(({ algorithm }) => algorithm))]
}

async function readStates(system: System): Promise<KeyState[]> {
  return system.selectFrom('signingKeys').select(['id', 'algorithm', 'signsFrom', 'retiresAt']).orderBy('signsFrom').execute()
}

interface MadeKey {
  id: string
  algorithm: SigningAlgorithm
  publicJwk: Record<string, string>
  privateKeyEncrypted: string
}

async function makeKey(keyring: Keyring, algorithm: SigningAlgorithm): Promise<MadeKey> {
  const { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject } =
    algorithm === 'EdDSA' ? await promisify(generateKeyPair)('ed25519') : await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 })
  const jwk = await exportJWK(publicKey)
  const id = await calculateJwkThumbprint(jwk)
  return {
    id,
    algorithm,
    publicJwk: presentKey(id, algorithm, jwk),
    privateKeyEncrypted: keyring.encrypt(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, id),
  }
}

/** A public key as verifiers expect it (RFC 7517 §4, RFC 8037 §2). */
function presentKey(kid: string, alg: SigningAlgorithm, { kty, crv, x, n, e }: JWK): Record<string, string> {
  const members = { kid, kty, use: 'sig', alg, crv, x, n, e }
  return Object.fromEntries(Object.entries(members).filter((member): member is [string, string] => member[1] !== undefined))
}

async function insertKey(system: System, { publicJwk, ...key }: MadeKey, signsFrom: Date): Promise<void> {
  await system
    .insertInto('signingKeys')
    .values({ ...key, publicJwk: JSON.stringify(publicJwk), createdAt: system.now, signsFrom })
    .execute()
}
