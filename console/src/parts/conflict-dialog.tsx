import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import { useMay } from '../api/profile.ts'
import { conflictTexts as t } from '../texts/conflict.ts'
import { shellTexts } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormActions } from '../ui/form.tsx'
import { Segmented } from '../ui/segmented.tsx'
import styles from './conflict-dialog.module.css'
import { shownValue } from './json-view.tsx'
import { Time } from './time.tsx'

type Values = Readonly<Record<string, unknown>>

export interface ConflictDialogProps {
  /** The record as another user has saved it. */
  theirs: Values
  mine: Values
  /** The fields that the user has changed. */
  names: readonly string[]
  labels: Partial<Record<string, string>>
  /** The record in the audit log. */
  targetId: string | undefined
  /** Continues with the user's own values of these fields, and the other's values of the rest. */
  onKeep: (names: string[]) => void
  onClose: () => void
}

/** Another user has saved the record meanwhile: asks, for each field that both may have changed, whose value to save. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { theirs, mine, names, labels, targetId, onKeep, onClose } = props
  const [dropped, setDropped] = useState<readonly string[]>([])
  const kept = names.filter((name) => !dropped.includes(name))
  const changeOf = useLastChanges(targetId)
  return (
    <Dialog
      alert
      wide
      open
      onOpenChange={(open) => !open && onClose()}
      title={t.changedMeanwhile}
      description={t.changedMeanwhileDescription}
      closeLabel={shellTexts.close}
    >
      <table className={styles.comparison}>
        <thead>
          <tr>
            <th scope="col">{shellTexts.field}</th>
            <th scope="col">{t.theirs}</th>
            <th scope="col">{t.yours}</th>
            <th scope="col">{t.keep}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => {
            const label = labels[name] ?? name
            const change = changeOf(name)
            return (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td data-label={t.theirs}>
                  <Value value={theirs[name]} other={mine[name]} />
                  {change && (
                    <span className={styles.by}>
                      {change.actor} <Time at={change.at} />
                    </span>
                  )}
                </td>
                <td data-label={t.yours}>{name === 'secret' ? '•••' : <Value value={mine[name]} other={theirs[name]} />}</td>
                <td>
                  <Segmented
                    label={t.keepOf(label)}
                    options={[
                      { value: 'theirs', label: t.theirs },
                      { value: 'yours', label: t.yours },
                    ]}
                    value={dropped.includes(name) ? 'theirs' : 'yours'}
                    onValueChange={(whose) =>
                      setDropped(whose === 'theirs' ? [...dropped, name] : dropped.filter((other) => other !== name))
                    }
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <FormActions>
        <Button onClick={() => onKeep([])}>{t.takeTheirs}</Button>
        <Button variant="primary" onClick={() => onKeep(kept)}>
          {kept.length === names.length ? t.keepYours : t.keepChosen}
        </Button>
      </FormActions>
    </Dialog>
  )
}

/** A value; for a list, the items that the other one lacks, and the number of common items. */
function Value({ value, other }: { value: unknown; other: unknown }) {
  if (!Array.isArray(value) || !Array.isArray(other) || value.length + other.length === 0) return shownValue(value)
  const others = new Set(other.map(shownValue))
  const items = value.map(shownValue)
  const own = items.filter((item) => !others.has(item))
  const same = items.length - own.length
  return (
    <ul className={styles.list}>
      {own.map((item) => (
        <li key={item}>
          <mark className={styles.own}>{item}</mark>
        </li>
      ))}
      {same > 0 && <li className={styles.by}>{own.length === 0 ? t.allTheSame(same) : t.andTheSame(same)}</li>}
      {items.length === 0 && <li>{shellTexts.empty}</li>}
    </ul>
  )
}

const read = 20

/** The last change of a field: its user and time, for users who may read the audit log. */
function useLastChanges(targetId: string | undefined): (field: string) => { actor: string; at: string } | undefined {
  const mayRead = useMay()('GET /v1/admin/audit-logs')
  const { data } = useQuery({
    queryKey: ['audit', 'conflict', targetId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/admin/audit-logs', { params: { query: { targetId: targetId as string, limit: read } }, signal })),
    enabled: mayRead && targetId !== undefined,
    staleTime: 0,
    gcTime: 0,
  })
  return (field) => {
    const changes = data?.data.filter((entry) => entry.changes !== null) ?? []
    const entry = changes.find((one) => isOf(one.changes, field))
    return entry && { actor: entry.actor.name ?? entry.actor.email ?? t.somebody, at: entry.createdAt }
  }
}

/** Whether a change is about a field. A form may edit one member of an object, as `branding.logoUrl`, or name a list by its ids. */
const isOf = (changes: object | null, field: string) =>
  changes !== null && [field, field.split('.')[0] as string, field.replace(/Ids$/, 's')].some((name) => Object.hasOwn(changes, name))
