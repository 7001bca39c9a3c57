import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { presentOrganisation } from '../organisations/present-organisation.ts'
import { getOwnOrganisation } from '../organisations/queries.ts'
import { checkTrialLimit } from '../organisations/trial-limit.ts'
import { counted } from '../platform/text.ts'
import { createPreparation, type Known, type Mistake, type Preparation } from './prepare.ts'
import type { RoleNames } from './role-names.ts'
import { batchesOf, type SourceRecord, type UserSource } from './source.ts'
import { type WritingDependencies, type WritingOptions, writeUsers } from './write-users.ts'

export interface ImportOptions extends WritingOptions {
  organisationId: string
  actor: Actor
  resume: boolean
  roleNames?: RoleNames
  /** Objects that the users may refer to, created once all users have been checked. */
  planned?: { roles: Known; teams: Known; carryOut(): Promise<void> }
  /** Ends the import before the next batch. */
  signal?: AbortSignal | undefined
  /** Called with the number of users that have been checked or written. */
  onProgress?: (step: 'checked' | 'written', users: number) => void
}

export interface UsersImport {
  users: number
  created: number
  /** The number that were in the organisation already. */
  existing: number
  mistakeCount: number
  /** The first mistakes. */
  mistakes: Mistake[]
}

/** An import that its signal has ended. */
export class ImportEnded extends Error {
  /** The users that the source has, and how many of them are in the organisation; undefined when nothing was written yet. */
  readonly written: { users: number; there: number } | undefined

  constructor(written?: { users: number; there: number }) {
    super(written ? `The import was ended: ${written.there} of ${written.users} users are there` : 'The import was ended before it wrote')
    this.written = written
  }
}

const mistakesShown = 1_000

/**
 * Imports users: checks all of them, and writes them only if every one is valid, a batch in each transaction. If it is interrupted,
 * whole batches are stored, and `resume` continues after them.
 *
 * @throws Problem `forbidden` when a trial organisation would have too many users, before anything is written
 * @throws ImportEnded
 */
export async function importUsers(dependencies: WritingDependencies, source: UserSource, options: ImportOptions): Promise<UsersImport> {
  const checked = await checkUsers(dependencies, source, options)
  if (checked.mistakeCount > 0) return checked

  const { database } = dependencies
  const { organisationId, actor, onProgress, planned, signal } = options
  await planned?.carryOut()
  const prepare = await createPreparation(database, organisationId, options)
  // Count again: another import of the same users may have created some since they were checked.
  let [created, existing] = [0, 0]
  for await (const batch of batchesOf(source)) {
    if (signal?.aborted) throw new ImportEnded({ users: checked.users, there: created + existing })
    const written = await writeBatch(dependencies, batch, options, prepare).catch((error: Error) => {
      const before = created > 0 ? ` after ${counted(created, 'user')}, whom --resume passes over` : ''
      throw new Error(`The import has stopped${before}: ${error.message}`, { cause: error })
    })
    created += written.created
    existing += written.existing
    onProgress?.('written', created)
  }
  await database.transaction(organisationId, async (tenant) => {
    const organisation = presentOrganisation(await getOwnOrganisation(tenant))
    await record(tenant, actor, {
      action: 'organisation.users_imported',
      organisation,
      metadata: { source: source.name, created, existing },
    })
  })
  return { ...checked, created, existing }
}

/** @returns how many were created, and how many existed already, which `resume` skips */
async function writeBatch(
  dependencies: WritingDependencies,
  batch: readonly SourceRecord[],
  options: ImportOptions,
  prepare: Preparation,
): Promise<{ created: number; existing: number }> {
  const { ready, existing, mistakes } = await prepare(batch)
  const [mistake] = mistakes
  if (mistake) throw new Error(`${mistake.place}: ${mistake.message}`)
  if (ready.length === 0) return { created: 0, existing }
  try {
    await writeUsers(dependencies, options, ready, options)
    return { created: ready.length, existing }
  } catch (error) {
    // A record that violates a constraint was created, or deleted, after the lookup. A second lookup reports it with line and name.
    const lookAgain = await createPreparation(dependencies.database, options.organisationId, options)
    const now = await lookAgain(batch)
    if (now.mistakes.length === 0 && now.ready.length >= ready.length) throw error
    return writeBatch(dependencies, batch, options, async () => now)
  }
}

async function checkUsers(
  { database, trialMaxUsers }: WritingDependencies,
  source: UserSource,
  options: ImportOptions,
): Promise<UsersImport> {
  const prepare = await createPreparation(database, options.organisationId, options)
  const result: UsersImport = { users: 0, created: 0, existing: 0, mistakeCount: 0, mistakes: [] }
  let ready = 0
  for await (const batch of batchesOf(source)) {
    if (options.signal?.aborted) throw new ImportEnded()
    const prepared = await prepare(batch)
    result.users += batch.filter((record) => !('isOfFile' in record && record.isOfFile)).length
    result.existing += prepared.existing
    result.mistakeCount += prepared.mistakes.length
    result.mistakes.push(...prepared.mistakes.slice(0, mistakesShown - result.mistakes.length))
    ready += prepared.ready.length
    options.onProgress?.('checked', result.users)
  }
  if (result.mistakeCount === 0 && ready > 0 && !options.ignoreTrialLimit)
    await database.transaction(options.organisationId, (tenant) => checkTrialLimit(tenant, trialMaxUsers, ready))
  return result
}
