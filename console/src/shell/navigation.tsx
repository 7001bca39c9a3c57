import { useRouterState } from '@tanstack/react-router'
import { Gauge, type LucideIcon, Scale, ScrollText, Stethoscope } from 'lucide-react'
import { useMay } from '../api/profile.ts'
import { type Entry, type Place, places } from '../parts/places.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Link } from '../ui/link.tsx'
import styles from './navigation.module.css'

export interface NavigationEntry extends Entry {
  icon: LucideIcon
}

interface Group {
  label?: string
  entries: NavigationEntry[]
}

/** The kinds of records in a group. */
function entriesOf(group: string): NavigationEntry[] {
  return Object.values<Place>(places).flatMap(({ icon, entry }) => (entry?.group === group ? [{ ...entry, icon }] : []))
}

/** All entries of the navigation, in their order. */
export const navigation: readonly Group[] = [
  { entries: [{ to: '/', label: t.overview, icon: Gauge, shortcut: 'o' }] },
  { label: t.people, entries: entriesOf('people') },
  { label: t.build, entries: entriesOf('build') },
  {
    label: t.watch,
    entries: [
      { to: '/audit', label: t.audit, icon: ScrollText, operation: 'GET /v1/admin/audit-logs', shortcut: 'l' },
      { to: '/diagnostics', label: t.diagnostics, icon: Stethoscope, operation: 'GET /v1/admin/diagnostics/{reference}', shortcut: 'd' },
      { to: '/explain', label: t.explain, icon: Scale, operation: 'POST /v1/admin/permission-checks', shortcut: 'e' },
    ],
  },
  { label: t.settings, entries: entriesOf('settings') },
]

/** Of an address, by which an entry is that of all pages below it. */
const firstOf = (path: string) => path.split('/', 2)[1] ?? ''

/** The pages that have no entry of their own, and the entry from which they are reached. */
const within: Record<string, string> = {
  events: 'webhooks',
  'setup-links': 'connections',
  'sign-in-check': '',
  'sign-ins': 'audit',
  unused: '',
}

/** The groups of the navigation with the entries that the user may see. */
export function useNavigation(): Group[] {
  const may = useMay()
  return navigation
    .map((group) => ({ ...group, entries: group.entries.filter(({ operation }) => operation === undefined || may(operation)) }))
    .filter(({ entries }) => entries.length > 0)
}

export function Navigation({ warnings = {}, onNavigate }: { warnings?: Record<string, string>; onNavigate?: () => void }) {
  const first = useRouterState({ select: ({ location }) => firstOf(location.pathname) })
  const current = within[first] ?? first
  return (
    <nav aria-label={t.navigation} className={styles.navigation}>
      {useNavigation().map(({ label, entries }) => (
        <div className={styles.group} key={label ?? ''}>
          {label && <h2 className={styles.label}>{label}</h2>}
          <ul className={styles.entries}>
            {entries.map(({ to, params, label: name, icon: Icon }) => (
              <li key={to}>
                <Link
                  {...({ to, params } as { to: string })}
                  className={styles.entry}
                  subtle
                  activeOptions={{ exact: true }}
                  aria-current={firstOf(to) === current ? 'page' : undefined}
                  onClick={onNavigate}
                >
                  <Icon size={16} aria-hidden />
                  <span>{name}</span>
                  {warnings[to] && <span className={styles.warning}>{warnings[to]}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
