import { formatNumber } from '../../parts/format.ts'
import { directoriesTexts as t } from '../../texts/directories.ts'
import styles from './directories.module.css'

interface Change {
  id: string
  name: string
  gains: number
  losses: number
}

interface MappingsImpactProps {
  roles: readonly Change[]
  teams: readonly Change[]
  /** How many more there are. */
  further?: number
}

/** How many users would gain and lose which role and team by new mappings. */
export function MappingsImpact({ roles, teams, further = 0 }: MappingsImpactProps) {
  if (roles.length + teams.length === 0) return <p>{t.impactNothing}</p>
  return (
    <ul className={styles.impact}>
      {sentencesOf(roles, t.impactRole)}
      {sentencesOf(teams, t.impactTeam)}
      {further > 0 && <li>{t.impactFurther(further, formatNumber(further))}</li>}
    </ul>
  )
}

const sentencesOf = (changes: readonly Change[], says: (typeof t)['impactRole']) =>
  changes.flatMap(({ id, name, gains, losses }) => [
    ...(gains > 0 ? [<li key={`${id} gains`}>{says.gains(name, gains, formatNumber(gains))}</li>] : []),
    ...(losses > 0 ? [<li key={`${id} losses`}>{says.losses(name, losses, formatNumber(losses))}</li>] : []),
  ])
