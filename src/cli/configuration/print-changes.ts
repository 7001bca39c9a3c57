import type { LastChange } from '../../audit/last-changes.ts'
import type { NamedId, NewSecret } from '../../configuration/apply.ts'
import type { DriftedField } from '../../configuration/drift.ts'
import type { FieldChange, PlannedChange } from '../../configuration/plan.ts'
import type { ConfigurationDocument } from '../../configuration/schemas.ts'

type Printed = PlannedChange & { readonly effects?: readonly string[]; readonly ended?: LastChange | null }

const signs = { create: '+', update: '~', delete: '-' } as const

/**
 * The changes, before and after, with their consequences or with the last person who changed each field.
 *
 * @param document as it is written: it names the variables from which new secrets come
 */
export function textOfChanges(slug: string, changes: readonly Printed[], { connections = {} }: ConfigurationDocument): string {
  if (changes.length === 0) return `${slug} is as the document says`
  const count = (action: PlannedChange['action']) => changes.filter((change) => change.action === action).length
  return [
    `${slug}: ${count('create')} to create, ${count('update')} to update, ${count('delete')} to delete`,
    ...changes.map(({ section, object: key, action, fields, effects = [], ended }) =>
      [
        `\n${signs[action]} ${[section, ...(key === null ? [] : [key])].join('.')}`,
        ...(action === 'delete'
          ? []
          : fields.map((change) => textOfField(change, section === 'connections' ? connections[key ?? '']?.secret : undefined))),
        ...(ended ? [`    (${textOfLast(ended)})`] : []),
        ...lastOfAll(action, fields),
        ...effects.map((effect) => `    → ${effect}`),
      ].join('\n'),
    ),
  ].join('\n')
}

/** @param reference the variable of the secret, if the object has one */
function textOfField(change: FieldChange, reference: string | undefined): string {
  const { field, before, after } = change
  const was = 'before' in change ? `${JSON.stringify(before)} → ` : ''
  const { lastChange } = change as Partial<DriftedField>
  const from = field === 'secret' && reference !== undefined ? `  (from ${reference})` : ''
  return `    ${field}: ${was}${JSON.stringify(after)}${from}${lastChange ? `  (${textOfLast(lastChange)})` : ''}`
}

/** The last person who changed an object that the document does not name. */
function lastOfAll(action: PlannedChange['action'], fields: readonly FieldChange[]): string[] {
  if (action !== 'delete') return []
  const last = (fields as readonly Partial<DriftedField>[]).find(({ lastChange }) => lastChange)?.lastChange
  return last ? [`    (${textOfLast(last)})`] : []
}

const textOfLast = ({ at, action, actorType, actorId, actorName, actorEmail }: LastChange) =>
  `${action} by ${actorEmail ?? actorName ?? actorId ?? actorType} at ${new Date(at).toISOString()}`

/** Newly created secrets, each with the id of its object, which is needed beside it. They are shown only once. */
export function textOfSecrets(secrets: readonly NewSecret[], ids: readonly NamedId[]): string {
  if (secrets.length === 0) return ''
  const lines = secrets.map(({ section, object: key, secret }) => {
    const named = ids.find((one) => one.section === section && one.object === key)
    return `  ${section}.${key}${named ? ` (${named.id})` : ''}: ${secret}`
  })
  return `\n\nSecrets, which are not shown again:\n${lines.join('\n')}`
}
