import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { presentOrganisation } from '../organisations/present-organisation.ts'
import { getOwnOrganisation } from '../organisations/queries.ts'
import { checkTrialLimit } from '../organisations/trial-limit.ts'
import { createPreparation, type Mistake } from './prepare.ts'
import { batchesOf, type UserSource } from './source.ts'
import { type WritingDependencies, type WritingOptions, writeUsers } from './write-users.ts'

export interface ImportOptions extends WritingOptions {
  organisationId: string
  actor: Actor
  resume: boolean
  /** What is created once the users have been checked, which they may refer to. */
  planned?: { roles: ReadonlySet<string>; teams: ReadonlySet<string>; carryOut(): Promise<void> }
  /** Called with how many have been checked, and how many written. */
  onProgress?: (step: 'checked' | 'written', users: number) => void
}

export interface UsersImport {
  users: number
  created: number
  /** How many were in the organisation already. */
  existing: number
  mistakeCount: number
  /** The first ones. */
  mistakes: Mistake[]
}

const mistakesShown = 1_000

/**
 * Imports users: checks all of them, and writes them only if none is mistaken, a batch in each transaction. Where it ends in the middle, whole
 * batches are there, and `resume` continues after them.
 *
 * @throws Problem `forbidden` when a trial organisation would have too many users, before anything is written
 */
export async function importUsers(dependencies: WritingDependencies, source: UserSource, options: ImportOptions): Promise<UsersImport> {
  const checked = await checkUsers(dependencies, source, options)
  if (checked.mistakeCount > 0) return checked

  const { database } = dependencies
  const { organisationId, actor, onProgress, planned } = options
  await planned?.carryOut()
  const prepare = await createPreparation(database, organisationId, options)
  let created = 0
  for await (const batch of batchesOf(source)) {
    const { ready, mistakes } = await prepare(batch)
    const [mistake] = mistakes
    if (mistake) throw new Error(`${mistake.place}: ${mistake.message}, since it was checked. ${created} users have been created`)
    if (ready.length > 0) await writeUsers(dependencies, options, ready, options)
    created += ready.length
    onProgress?.('written', created)
  }
  await database.transaction(organisationId, async (tenant) => {
    const organisation = presentOrganisation(await getOwnOrganisation(tenant))
    const metadata = { source: source.name, created, existing: checked.existing }
    await record(tenant, actor, { action: 'organisation.users_imported', organisation, metadata })
  })
  return { ...checked, created }
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
