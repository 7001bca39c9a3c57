import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Caller } from '../access/caller.ts'
import type { PermissionSlug } from '../access/permission-slugs.ts'
import { findLastChangeOfGrant, findLastChanges } from '../audit/last-changes.ts'
import type { StoredEntry } from '../audit/queries.ts'
import type { ClientDependencies } from '../clients/create-client.ts'
import type { PreparedFormer } from '../connections/change-connection.ts'
import type { ConnectionChanging } from '../connections/create-connection.ts'
import type { DomainOperations } from '../domains/change-domain.ts'
import type { Tenant } from '../platform/database/database.ts'
import { parseInput } from '../platform/http/validation.ts'
import type { Language } from '../platform/language.ts'
import type { OrganisationSettings } from '../provisioning/update-organisation.ts'
import type { UserRestoration } from '../users/restore-user.ts'
import type { WebhookSettings } from '../webhooks/endpoints/create-endpoint.ts'
import { type Conflict, undoByConnection, undoChangedSince, undoFieldsFixed, undoRecordGone, undoValuesUnknown } from './refusals.ts'

export type UndoDependencies = ClientDependencies &
  OrganisationSettings &
  ConnectionChanging &
  WebhookSettings &
  DomainOperations &
  UserRestoration

/** The context of undoing one entry, within the transaction. */
export interface Step {
  readonly dependencies: UndoDependencies
  readonly tenant: Tenant
  /** The caller, whose entries name the undone entry. */
  readonly caller: Caller
  /** What {@link Inverse.prepare} has made of the entry. */
  readonly prepared: PreparedFormer | undefined
  readonly language: Language | undefined
}

/** Undoes the entries of an action. */
export interface Inverse {
  /** The permission that the operation requires as a request of its own. */
  readonly permission: PermissionSlug
  /** Does, before the transaction, what takes long. */
  prepare?(entry: StoredEntry): Promise<PreparedFormer | undefined>
  /**
   * Locks the record, compares it with the state that the entry left, and calls the operation.
   *
   * @throws Problem of this folder, and of the operation
   */
  undo(step: Step, entry: StoredEntry): Promise<void>
  /** The differences from the state that the entry left, when the operation found nothing to change. */
  whatChanged?(step: Step, entry: StoredEntry): Promise<Conflict[]>
}

export type Fields = Readonly<Record<string, unknown>>

interface OfFields<Sent> {
  permission: PermissionSlug
  /** The schema of a request for the operation. */
  schema(dependencies: UndoDependencies): z.ZodType<Sent> & { shape: object }
  /** Fields of the record that have another name in a request. */
  alsoSettable?: readonly string[]
  /** Fields that are derived from others, or from use. */
  derived?: readonly string[]
  /** The record as its entries show it, locked until the end of the transaction. */
  lock(step: Step, id: string): Promise<object | undefined>
  /** The former values in the form of a request. @param left the values that replaced them */
  asSent?(former: Fields, left: Fields): Fields
  /** The operation. */
  change(step: Step, id: string, sent: Sent): Promise<unknown>
}

/** Restores the former values of the fields that an entry names. */
export function formerFields<Sent>({
  permission,
  schema,
  alsoSettable = [],
  derived = [],
  lock,
  asSent = (former) => former,
  change,
}: OfFields<Sent>): Inverse {
  return {
    permission,
    async undo(step, { targetId, changes }) {
      const parsed = schema(step.dependencies)
      const named = Object.entries(changes ?? {}).filter(([field]) => !derived.includes(field))
      if (named.length === 0) throw undoValuesUnknown()
      const settable = new Set([...Object.keys(parsed.shape), ...alsoSettable])
      const fixed = named.map(([field]) => field).filter((field) => !settable.has(field))
      if (fixed.length > 0) throw undoFieldsFixed(fixed.join(', '))

      const record = await lock(step, targetId)
      if (!record) throw undoRecordGone()
      // Entries are JSON, so compare in that form.
      const now = JSON.parse(JSON.stringify(record)) as Fields
      const moved = named.filter(([field, { to }]) => !isDeepStrictEqual(now[field] ?? null, to ?? null))
      if (moved.length > 0) {
        const last = await findLastChanges(
          step.tenant,
          moved.map(([field]) => ({ targetId, field })),
        )
        throw undoChangedSince(
          moved.map(([field]) => field).join(', '),
          moved.map(([field, { to }], place) => ({ field, left: to ?? null, now: now[field] ?? null, lastChange: last[place] })),
        )
      }
      const former = Object.fromEntries(named.map(([field, { from }]) => [field, from ?? null]))
      const left = Object.fromEntries(named.map(([field, { to }]) => [field, to ?? null]))
      await change(step, targetId, parseInput(parsed, asSent(former, left)))
    },
  }
}

interface OfGrant {
  permission: PermissionSlug
  /** The list of the target to which the entry added, or from which it removed. */
  field: string
  /** The member of the entry's metadata that names the added or removed id. */
  member: string
  wasGiven: boolean
  /** The operation, which does nothing where there is nothing to add or remove. */
  change(step: Step, targetId: string, id: string): Promise<unknown>
}

/** Removes what was added, or adds what was removed. */
export function formerGrant({ permission, field, member, wasGiven, change }: OfGrant): Inverse {
  const grantOf = ({ metadata }: StoredEntry): string => {
    const value = metadata?.[member]
    if (typeof value !== 'string') throw undoValuesUnknown()
    return value
  }
  return {
    permission,
    async undo(step, entry) {
      if (typeof entry.metadata?.source === 'string') throw undoByConnection()
      await change(step, entry.targetId, grantOf(entry))
    },
    async whatChanged({ tenant }, entry) {
      const value = grantOf(entry)
      const lastChange = await findLastChangeOfGrant(tenant, entry.targetId, { member, value })
      return [{ field, left: wasGiven ? value : null, now: wasGiven ? null : value, lastChange }]
    },
  }
}
