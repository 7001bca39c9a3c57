import type { components } from '../api/schema.d.ts'
import { actionTexts as t } from '../texts/actions.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { type AuditEntry, AuditSentence } from './audit-sentence.tsx'
import changeStyles from './field-changes.module.css'
import { FieldChanges } from './field-changes.tsx'
import type { Changes } from './time-travel.ts'

/** The number of fields that are shown at first: the entry of a deletion has every field. */
const shownAtOnce = 6

interface RecordedChangesProps {
  changes: components['schemas']['TriedRequest']['changes']
  actor: Pick<AuditEntry['actor'], 'id' | 'type' | 'name' | 'email'>
}

/** What the audit log would record, were it not rolled back: each entry as a sentence with its fields. */
export function RecordedChanges({ changes, actor }: RecordedChangesProps) {
  return (
    <ol className={changeStyles.entries}>
      {changes.map(({ action, targetId, targetType, targetName, changes: fields, metadata }) => {
        const target = { id: targetId, type: targetType, name: targetName }
        const entry = { action, actor, target, metadata, ipAddress: '', targetEmail: null } as AuditEntry
        const count = Object.keys(fields ?? {}).length
        return (
          <li key={`${action} ${targetId} ${JSON.stringify(metadata)}`}>
            <p>
              <AuditSentence entry={entry} />
            </p>
            {count > shownAtOnce ? (
              <Disclosure title={t.whole(count)}>
                <FieldChanges changes={fields as Changes} />
              </Disclosure>
            ) : (
              count > 0 && <FieldChanges changes={fields as Changes} />
            )}
          </li>
        )
      })}
    </ol>
  )
}
