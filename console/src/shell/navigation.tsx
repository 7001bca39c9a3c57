import type { LinkProps } from '@tanstack/react-router'
import {
  AppWindow,
  Building2,
  Cable,
  FolderSync,
  Gauge,
  Globe,
  KeyRound,
  type LucideIcon,
  Mail,
  Scale,
  ScrollText,
  Server,
  ShieldCheck,
  Stethoscope,
  UserRound,
  UsersRound,
  Webhook,
} from 'lucide-react'
import type { OperationName } from '../api/operations.ts'
import { useMay } from '../api/profile.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Link } from '../ui/link.tsx'
import styles from './navigation.module.css'

export interface Entry {
  to: LinkProps['to'] & string
  params?: { section: string }
  label: string
  icon: LucideIcon
  /** The entry is shown to users who may call it. */
  operation?: OperationName
  /** The key after `g` that opens the page. */
  shortcut: string
}

interface Group {
  label?: string
  entries: Entry[]
}

/** All entries of the navigation, in their order. */
export const navigation: readonly Group[] = [
  { entries: [{ to: '/', label: t.overview, icon: Gauge, shortcut: 'o' }] },
  {
    label: t.people,
    entries: [
      { to: '/users', label: t.users, icon: UserRound, operation: 'GET /v1/admin/users', shortcut: 'u' },
      { to: '/invitations', label: t.invitations, icon: Mail, operation: 'GET /v1/admin/invitations', shortcut: 'i' },
      { to: '/roles', label: t.roles, icon: ShieldCheck, operation: 'GET /v1/admin/roles', shortcut: 'r' },
      { to: '/teams', label: t.teams, icon: UsersRound, operation: 'GET /v1/admin/teams', shortcut: 't' },
    ],
  },
  {
    label: t.build,
    entries: [
      { to: '/applications', label: t.applications, icon: AppWindow, operation: 'GET /v1/admin/clients', shortcut: 'a' },
      { to: '/resources', label: t.resources, icon: Server, operation: 'GET /v1/admin/resource-servers', shortcut: 'p' },
      { to: '/api-keys', label: t.apiKeys, icon: KeyRound, operation: 'GET /v1/admin/api-keys', shortcut: 'k' },
      { to: '/webhooks', label: t.webhooks, icon: Webhook, operation: 'GET /v1/admin/webhooks', shortcut: 'w' },
    ],
  },
  {
    label: t.watch,
    entries: [
      { to: '/audit', label: t.audit, icon: ScrollText, operation: 'GET /v1/admin/audit-logs', shortcut: 'l' },
      { to: '/diagnostics', label: t.diagnostics, icon: Stethoscope, operation: 'GET /v1/admin/diagnostics/{reference}', shortcut: 'd' },
      { to: '/explain', label: t.explain, icon: Scale, operation: 'POST /v1/admin/permission-checks', shortcut: 'e' },
    ],
  },
  {
    label: t.settings,
    entries: [
      { to: '/organisation/$section', params: { section: 'general' }, label: t.organisation, icon: Building2, shortcut: 's' },
      { to: '/connections', label: t.connections, icon: Cable, operation: 'GET /v1/admin/connections', shortcut: 'n' },
      { to: '/directories', label: t.directories, icon: FolderSync, operation: 'GET /v1/admin/directories', shortcut: 'y' },
      { to: '/domains', label: t.domains, icon: Globe, operation: 'GET /v1/admin/domains', shortcut: 'm' },
    ],
  },
]

/** The groups of the navigation with the entries that the user may see. */
export function useNavigation(): Group[] {
  const may = useMay()
  return navigation
    .map((group) => ({ ...group, entries: group.entries.filter(({ operation }) => operation === undefined || may(operation)) }))
    .filter(({ entries }) => entries.length > 0)
}

export function Navigation({ warnings = {}, onNavigate }: { warnings?: Record<string, string>; onNavigate?: () => void }) {
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
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  activeProps={{ 'aria-current': 'page' }}
                  {...(onNavigate && { onClick: onNavigate })}
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
