import type { Caller } from '../access/caller.ts'
import { missingPermission } from '../access/refusals.ts'
import { userNotFound } from '../accounts/refusals.ts'
import { findEnd } from '../audit/last-changes.ts'
import { type UndoableAction, whyNotUndone } from '../audit/not-undone.ts'
import { findAuditEntry, type Recorded, type StoredEntry } from '../audit/queries.ts'
import { auditEntryNotFound, undoNothingChanged } from '../audit/refusals.ts'
import { clientNotFound, resourceServerNotFound } from '../clients/refusals.ts'
import { logoNotStored } from '../organisations/refusals.ts'
import type { Tenant } from '../platform/database/database.ts'
import { withinTransaction } from '../platform/database/within-transaction.ts'
import { Problem } from '../platform/http/problem.ts'
import type { Language } from '../platform/language.ts'
import { permissionNotFound } from '../roles/permissions/refusals.ts'
import { roleNotFound } from '../roles/refusals.ts'
import { teamNotFound } from '../teams/refusals.ts'
import type { Inverse, Step, UndoDependencies } from './inverse.ts'
import { inverses } from './inverses.ts'
import { findRecorded } from './queries.ts'
import { undoChangedSince, undoRecordGone, undoValuesUnknown } from './refusals.ts'
import type { UndoneEntry } from './schemas.ts'

interface Asked {
  /** Whether everything is rolled back in the end. */
  dryRun: boolean
  language: Language | undefined
}

/**
 * Undoes the change that an audit entry records, by an ordinary change of the caller.
 *
 * @returns the recorded entries, or those that would be recorded
 * @throws Problem `not-found` for the entry; `bad-request` with the code that says why such
 *   an entry is not undone; `forbidden` without the permission of the change; `conflict` naming
 *   the fields that have changed since, or when the record is gone; any error of the operation
 */
export async function undoEntry(dependencies: UndoDependencies, caller: Caller, id: string, asked: Asked): Promise<UndoneEntry> {
  const { database } = dependencies
  const { organisationId } = caller
  const entry = await findAuditEntry(database.tenant(organisationId), id)
  if (!entry) throw auditEntryNotFound()
  const inverse = inverseOf(entry)
  if (!caller.permissions.has(inverse.permission)) throw missingPermission(inverse.permission)
  const undoing: Undoing = { entry, inverse, prepared: await inverse.prepare?.(entry), language: asked.language }
  if (asked.dryRun) {
    let recorded: Recorded[] = []
    await database.rehearse(organisationId, async (tenant) => {
      recorded = (await carryOut(dependencies, caller, undoing, tenant)).recorded
    })
    return { dryRun: true, changes: recorded.map((one) => presentRecorded(one, null)) }
  }
  const { recorded, afterwards } = await database.transaction(organisationId, (tenant) => carryOut(dependencies, caller, undoing, tenant))
  for (const work of afterwards) await work()
  return { dryRun: false, changes: recorded.map((one) => presentRecorded(one, one.id)) }
}

type AfterCommit = () => Promise<unknown>

interface Undoing extends Pick<Step, 'prepared' | 'language'> {
  entry: StoredEntry
  inverse: Inverse
}

async function carryOut(
  outer: UndoDependencies,
  outerCaller: Caller,
  { entry, inverse, prepared, language }: Undoing,
  tenant: Tenant,
): Promise<{ recorded: Recorded[]; afterwards: AfterCommit[] }> {
  const afterwards: AfterCommit[] = []
  const step: Step = {
    dependencies: within(outer, tenant, afterwards),
    tenant,
    caller: { ...outerCaller, actor: { ...outerCaller.actor, metadata: { ...outerCaller.actor.metadata, undoOf: entry.id } } },
    prepared,
    language,
  }
  await undone(inverse, step, entry)
  const recorded = await findRecorded(tenant, step.caller.actor.requestId, entry.id)
  if (recorded.length === 0) {
    // The former and the current value are the same, in another form.
    if (!inverse.whatChanged) throw undoValuesUnknown()
    const conflicts = await inverse.whatChanged(step, entry)
    throw undoChangedSince(conflicts.map(({ field }) => field).join(', '), conflicts)
  }
  return { recorded, afterwards }
}

function inverseOf({ action }: StoredEntry): Inverse {
  const refused = whyNotUndone(action)
  if (refused) throw refused()
  // Another release may have written an action that is unknown to this one.
  if (!Object.hasOwn(inverses, action)) throw undoNothingChanged()
  return inverses[action as UndoableAction]
}

/**
 * Runs the operations within the transaction: nothing that they read or
 * write leaves it, and effects outside the organisation follow its commit.
 */
function within(outer: UndoDependencies, tenant: Tenant, afterwards: AfterCommit[]): UndoDependencies {
  const { requiredSso, signingKeys } = outer
  const ensure = async (...algorithm: Parameters<typeof signingKeys.ensure>) => {
    afterwards.push(() => signingKeys.ensure(...algorithm))
  }
  return {
    ...outer,
    database: withinTransaction(outer.database, tenant),
    signingKeys: { ensure } as unknown as UndoDependencies['signingKeys'],
    requiredSso: { ...requiredSso, follow: async () => void afterwards.push(() => requiredSso.follow()) },
  }
}

/** What a field of a former value may name. */
const named: ReadonlySet<string | undefined> = new Set(
  [permissionNotFound, roleNotFound, teamNotFound, userNotFound, clientNotFound, resourceServerNotFound, logoNotStored].map(
    ({ code }) => code,
  ),
)

/** Whether a refusal says that something does not exist that the request named. */
const isOfUnknown = ({ slug, code, errors }: Problem) =>
  slug === 'not-found' || code === undoRecordGone.code || (errors?.every(({ reason }) => named.has(reason)) ?? false)

/** Among the ids of a request, only the entry's can be unknown: the records that the entry names existed, and are gone. */
async function undone(inverse: Inverse, step: Step, entry: StoredEntry): Promise<void> {
  try {
    await inverse.undo(step, entry)
  } catch (error) {
    if (!(error instanceof Problem && isOfUnknown(error))) throw error
    const { roleId, userId } = entry.metadata ?? {}
    const ids = [entry.targetId, roleId, userId].filter((name) => typeof name === 'string')
    // What a field names may have ended in many ways; of the entry's own ids, one has.
    throw undoRecordGone(error.errors ? undefined : await findEnd(step.tenant, ids))
  }
}

function presentRecorded({ action, targetType, targetId, targetName, changes, metadata }: Recorded, entryId: string | null) {
  const { undoOf: _, ...rest } = metadata ?? {}
  return { entryId, action, targetType, targetId, targetName, changes, metadata: Object.keys(rest).length > 0 ? rest : null }
}
