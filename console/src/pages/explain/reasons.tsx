import type { components } from '../../api/schema.d.ts'
import { RecordLink } from '../../parts/audit-sentence.tsx'
import { filled } from '../../parts/filled.tsx'
import { formatDay } from '../../parts/format.ts'
import { roleName } from '../../parts/role-words.ts'
import { Time } from '../../parts/time.tsx'
import { usePreference } from '../../parts/use-preference.ts'
import { explainTexts as t } from '../../texts/explain.ts'

export type Reason = components['schemas']['PermissionReason']

/** A sentence such as "The role Support gives it, since 3 Nov 2026, by Bilal Haddad." */
export function ReasonSentence({ reason }: { reason: Reason }) {
  usePreference('zone')
  return (
    <>
      {filled(reason.assignedBy ? t.because : t.becauseUnknown, {
        role: <RecordLink type="role" id={reason.role.id} name={roleName(reason.role)} />,
        time: <time dateTime={reason.assignedAt}>{formatDay(reason.assignedAt)}</time>,
        by: <AssignedBy by={reason.assignedBy} />,
      })}
    </>
  )
}

/** The user who assigned a role, if the audit log knows. */
function AssignedBy({ by }: { by: Reason['assignedBy'] }) {
  if (!by) return t.notRecorded
  if (by.type === 'system') return t.system
  if (by.type === 'api_key') return t.apiKey(by.name ?? by.id ?? '')
  return by.id ? <RecordLink type={by.type} id={by.id} name={by.name} /> : t.erased
}

/** The cells of a table: the roles, the times and the users who assigned them. */
export const rolesOf = (reasons: readonly Reason[]) =>
  reasons.map(({ role }) => (
    <div key={role.id}>
      <RecordLink type="role" id={role.id} name={roleName(role)} />
    </div>
  ))
export const timesOf = (reasons: readonly Reason[]) =>
  reasons.map(({ role, assignedAt }) => (
    <div key={role.id}>
      <Time at={assignedAt} />
    </div>
  ))
export const giversOf = (reasons: readonly Reason[]) =>
  reasons.map(({ role, assignedBy }) => (
    <div key={role.id}>
      <AssignedBy by={assignedBy} />
    </div>
  ))
