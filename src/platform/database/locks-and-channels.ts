import { type QueryExecutorProvider, sql } from 'kysely'
import type { EngineTransaction } from './engine.ts'

/**
 * The advisory locks of the service. They are numbers of the whole database, so two equal ones would block each other without a reason.
 */
export const advisoryLocks = {
  /** Of processes that start together, one migrates. */
  migrations: 7_161_735_423,
  /** Permits one change of the signing keys at a time. */
  signingKeys: 7_161_735_424,
  /** Serialises a new permission and the creation of organisations. */
  permissions: 7_161_735_425,
  /** Shared by the processes of the service as long as they run. A process that holds it exclusively knows that none of them runs. */
  service: 7_161_735_426,
} as const

/** The channels of NOTIFY, on which processes wake each other. */
export const channels = {
  /** A mail has been written to the outbox. */
  mails: 'gatehouse_mails',
  /** A webhook delivery is due. */
  deliveries: 'gatehouse_deliveries',
  /** A client is to be told of the end of a session. */
  logoutDeliveries: 'gatehouse_logout_deliveries',
  signingKeys: 'signing_keys',
  /** The sign-in policy of an organisation has changed. */
  signInPolicies: 'gatehouse_sign_in_policies',
  /** A domain has been verified or has lapsed, or its effect on users has changed. */
  domains: 'gatehouse_domains',
} as const

export type Channel = (typeof channels)[keyof typeof channels]

/** Takes a lock until the end of the transaction, exclusively or shared. */
export async function lockUntilCommit(
  transaction: QueryExecutorProvider,
  lock: keyof typeof advisoryLocks,
  { shared = false } = {},
): Promise<void> {
  const take = sql.raw(shared ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await sql`select ${take}(${sql.lit(advisoryLocks[lock])})`.execute(transaction)
}

/** Takes an exclusive lock until the end of the transaction. @returns false when another transaction holds it */
export async function tryLockUntilCommit(transaction: EngineTransaction, lock: keyof typeof advisoryLocks): Promise<boolean> {
  const query = { sql: `select pg_try_advisory_xact_lock(${advisoryLocks[lock]}) as held`, parameters: [] }
  return (await transaction.execute<{ held: boolean }>(query)).rows[0]?.held === true
}

/** The statement by which a connection shares a lock as long as it lasts, unless it is held exclusively: returns `held`. */
export const shareWhileConnected = (lock: keyof typeof advisoryLocks): string =>
  `select pg_try_advisory_lock_shared(${advisoryLocks[lock]}) as held`

/** The first of two numbers that lock an address: pairs are never equal to the numbers above. */
const addresses = 7_161

/** Locks an address until the end of the transaction, for a user who is being created and an invitation that is being sent. */
export async function lockAddress(transaction: QueryExecutorProvider, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(addresses)}, hashtext(${email}))`.execute(transaction)
}

/** The first number of the locks of domains, which the triggers `refuse_kept_address` and `wait_for_new_addresses` take. */
const addressesOfDomains = 7_162

/**
 * Takes the lock of the addresses of a domain until the end of the transaction, for a domain that is being verified. Unlike the trigger, it
 * does not wait: each creation of a user with such an address would wait behind it.
 *
 * @returns false when a transaction that has created such a user holds it
 */
export async function tryLockAddressesOf(transaction: QueryExecutorProvider, domain: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(addressesOfDomains)}, hashtext(${domain}) & 63) as held`.execute(transaction)
  return rows[0]?.held === true
}

/** The first number of the locks of idempotency keys. */
const idempotencyKeys = 7_163

/** Takes the lock of an idempotency key until the end of the transaction. @returns false when another request holds it */
export async function tryLockIdempotencyKey(transaction: QueryExecutorProvider, id: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(idempotencyKeys)}, hashtext(${id})) as held`.execute(transaction)
  return rows[0]?.held === true
}

/** The first number of the locks of the groups of directories. */
const groupsOfDirectories = 7_164

/** Locks the number of groups of a directory until the end of the transaction, for a group that is being created. */
export async function lockNumberOfGroups(transaction: QueryExecutorProvider, directoryId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(groupsOfDirectories)}, hashtext(${directoryId}))`.execute(transaction)
}

/** Wakes the listeners when the transaction commits. */
export async function notify(transaction: QueryExecutorProvider, channel: Channel): Promise<void> {
  await sql`select pg_notify(${channel}, '')`.execute(transaction)
}
