import type { RoleImpact } from '../../api/roles.ts'
import { formatNumber } from '../../parts/format.ts'
import { rolesTexts as t } from '../../texts/roles.ts'
import { Link } from '../../ui/link.tsx'
import styles from './roles.module.css'

/** The users who would gain or lose permissions by a change of a role. */
export function Impact({ impact: { users, gains, losses, apiKeys, sample } }: { impact: RoleImpact }) {
  return (
    <div className={styles.impact}>
      <p>
        <strong>{t.usersChange(users, formatNumber(users))}</strong> {users === 0 && t.nobodyChanges}
      </p>
      <Permissions title={t.gains} items={gains} />
      <Permissions title={t.losses} items={losses} />
      {apiKeys > 0 && <p>{t.keysChange(apiKeys, formatNumber(apiKeys))}</p>}
      {sample.length > 0 && (
        <>
          <h3>{users > sample.length ? t.someOfThem : t.these}</h3>
          <ul className={styles.sample}>
            {sample.map(({ id, name, email }) => (
              <li key={id}>
                <Link to="/users/$id/{-$tab}" params={{ id }} target="_blank">
                  {name}
                </Link>{' '}
                <span className={styles.muted}>{email}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function Permissions({ title, items }: { title: string; items: RoleImpact['gains'] }) {
  if (items.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul className={styles.differences}>
        {items.map(({ permission, users }) => (
          <li key={permission}>
            <code>{permission}</code> <span>{t.userCount(users, formatNumber(users))}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
