import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuthorizationServer } from '../../api/authorization-servers.ts'
import { formatList } from '../../parts/format.ts'
import type { useNames } from '../../parts/use-names.ts'
import { otherApisTexts as t } from '../../texts/other-apis.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Link } from '../../ui/link.tsx'
import styles from './grant-matrix.module.css'

export type Grant = AuthorizationServer['grants'][number]
export type Names = Record<'clients' | 'roles' | 'teams', ReturnType<typeof useNames>>

interface GrantMatrixProps {
  server: AuthorizationServer
  names: Names
  /** The buttons of a row; undefined for users who may change none. */
  actionsOf: ((grant: Grant, index: number) => ReactNode) | undefined
}

/** Applications against the scopes of each API. It scrolls within its own box. */
export function GrantMatrix({ server: { resources, grants }, names, actionsOf }: GrantMatrixProps) {
  const apis = resources.filter(({ scopes }) => scopes.length > 0)
  const forWhom = ({ roleIds, teamIds }: Grant) => {
    const those = [...roleIds.map((id) => names.roles.itemOf(id).label), ...teamIds.map((id) => names.teams.itemOf(id).label)]
    return those.length === 0 ? t.everyone : formatList(those)
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what overflows is reached by scrolling, also with the keyboard
    <section className={styles.box} aria-label={t.grants} tabIndex={0}>
      <table className={styles.matrix} aria-label={t.grants}>
        <thead>
          <tr>
            <th scope="col" rowSpan={2} className={styles.application}>
              {t.application}
            </th>
            <th scope="col" rowSpan={2}>
              {t.forWhom}
            </th>
            {apis.map(({ identifier, scopes }) => (
              <th key={identifier} scope="colgroup" colSpan={scopes.length} className={styles.api}>
                <code>{identifier}</code>
              </th>
            ))}
            {actionsOf && <td rowSpan={2} className={styles.control} />}
          </tr>
          <tr>
            {apis.flatMap(({ identifier, scopes }) =>
              scopes.map((scope) => (
                <th key={`${identifier} ${scope}`} scope="col" className={styles.scope}>
                  <code>{scope}</code>
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {grants.map((grant, index) => {
            const { value: id, label } = names.clients.itemOf(grant.clientId)
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: an application may have several rows, and nothing else tells them apart
              <tr key={index}>
                <th scope="row" className={styles.application}>
                  <Link to="/applications/$id/{-$tab}" params={{ id }} subtle>
                    {label}
                  </Link>
                </th>
                <td className={styles.whom}>{forWhom(grant)}</td>
                {apis.flatMap(({ identifier, scopes }) =>
                  scopes.map((scope) => (
                    <td key={`${identifier} ${scope}`} className={styles.scope}>
                      <Ticked is={grant.resources.includes(identifier) && grant.scopes.includes(scope)} />
                    </td>
                  )),
                )}
                {actionsOf && (
                  <td>
                    <div className={styles.actions}>{actionsOf(grant, index)}</div>
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

const Ticked = ({ is }: { is: boolean }) => (
  <>
    {is && <Check size={16} aria-hidden className={styles.tick} />}
    <span className="visually-hidden">{is ? shellTexts.yes : shellTexts.no}</span>
  </>
)
