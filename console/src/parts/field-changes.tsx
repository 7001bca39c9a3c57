import { shellTexts as t } from '../texts/shell.ts'
import styles from './field-changes.module.css'
import { shownValue } from './json-view.tsx'
import { usePreference } from './use-preference.ts'

type Changes = Record<string, { from?: unknown; to?: unknown }>

/** The class of a value; a missing value has no colour of its own. */
const classOf = (value: unknown, className: string | undefined) => (shownValue(value) === t.empty ? styles.none : className)

/** The changed fields, each before and after. */
export function FieldChanges({ changes }: { changes: Changes }) {
  usePreference('zone')
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">{t.field}</th>
          <th scope="col">{t.before}</th>
          <th scope="col">{t.after}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(changes).map(([field, { from, to }]) => (
          <tr key={field}>
            <th scope="row">
              <code>{field}</code>
            </th>
            <td className={classOf(from, styles.before)}>{shownValue(from)}</td>
            <td className={classOf(to, styles.after)}>{shownValue(to)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
