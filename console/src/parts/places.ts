import type { LinkProps } from '@tanstack/react-router'
import {
  AppWindow,
  Building2,
  Cable,
  FolderSync,
  Globe,
  Handshake,
  KeyRound,
  Link2,
  type LucideIcon,
  Mail,
  Server,
  ShieldCheck,
  UserRound,
  UsersRound,
  Webhook,
} from 'lucide-react'
import type { KindName, Kinds } from '../../../shared/kinds.ts'
import type { OperationName } from '../api/operations.ts'
import { shellTexts as t } from '../texts/shell.ts'

type Path = LinkProps['to'] & string

/** Where the console shows a kind of record. The navigation, the palette and the links to records follow from it; the router has the pages. */
export interface Place {
  /** Undefined if an id in a pasted text opens no page. */
  idPrefix?: Kinds[KindName]['idPrefix']
  icon: LucideIcon
  /** The page of one record, or a list. */
  page: Path
  /** What names the record in the address of the list. */
  parameter?: string
  /** What reads a record; undefined if the history does not link to it. */
  operation?: OperationName
  entry?: Entry & { group: 'people' | 'build' | 'settings' }
}

/** An entry of the navigation, besides its icon. */
export interface Entry {
  to: Path
  params?: { section: string }
  label: string
  /** The entry is shown to users who may call it. */
  operation?: OperationName
  /** The key after `g` that opens the page. */
  shortcut: string
}

/** The kinds that have pages. A group of the navigation is in this order. All of it is in the first load. */
export const places = {
  user: {
    idPrefix: 'usr',
    icon: UserRound,
    page: '/users/$id/{-$tab}',
    operation: 'GET /v1/admin/users/{id}',
    entry: { group: 'people', to: '/users', label: t.users, operation: 'GET /v1/admin/users', shortcut: 'u' },
  },
  invitation: {
    idPrefix: 'inv',
    icon: Mail,
    page: '/invitations',
    parameter: 'id',
    operation: 'GET /v1/admin/invitations',
    entry: { group: 'people', to: '/invitations', label: t.invitations, operation: 'GET /v1/admin/invitations', shortcut: 'i' },
  },
  role: {
    idPrefix: 'rol',
    icon: ShieldCheck,
    page: '/roles/$id/{-$tab}',
    operation: 'GET /v1/admin/roles/{id}',
    entry: { group: 'people', to: '/roles', label: t.roles, operation: 'GET /v1/admin/roles', shortcut: 'r' },
  },
  team: {
    idPrefix: 'tem',
    icon: UsersRound,
    page: '/teams/$id/{-$tab}',
    operation: 'GET /v1/admin/teams/{id}',
    entry: { group: 'people', to: '/teams', label: t.teams, operation: 'GET /v1/admin/teams', shortcut: 't' },
  },
  client: {
    idPrefix: 'cli',
    icon: AppWindow,
    page: '/applications/$id/{-$tab}',
    operation: 'GET /v1/admin/clients/{id}',
    entry: { group: 'build', to: '/applications', label: t.applications, operation: 'GET /v1/admin/clients', shortcut: 'a' },
  },
  resource_server: {
    idPrefix: 'rsv',
    icon: Server,
    page: '/resources/$id/{-$tab}',
    operation: 'GET /v1/admin/resource-servers/{id}',
    entry: { group: 'build', to: '/resources', label: t.resources, operation: 'GET /v1/admin/resource-servers', shortcut: 'p' },
  },
  resource_authorization_server: {
    idPrefix: 'ras',
    icon: Handshake,
    page: '/other-apis/$id/{-$tab}',
    operation: 'GET /v1/admin/resource-authorization-servers/{id}',
    entry: {
      group: 'build',
      to: '/other-apis',
      label: t.otherApis,
      operation: 'GET /v1/admin/resource-authorization-servers',
      shortcut: 'h',
    },
  },
  api_key: {
    idPrefix: 'key',
    icon: KeyRound,
    page: '/api-keys',
    parameter: 'key',
    operation: 'GET /v1/admin/api-keys',
    entry: { group: 'build', to: '/api-keys', label: t.apiKeys, operation: 'GET /v1/admin/api-keys', shortcut: 'k' },
  },
  webhook: {
    idPrefix: 'wh',
    icon: Webhook,
    page: '/webhooks/$id/{-$tab}',
    operation: 'GET /v1/admin/webhooks/{id}',
    entry: { group: 'build', to: '/webhooks', label: t.webhooks, operation: 'GET /v1/admin/webhooks', shortcut: 'w' },
  },
  organisation: {
    icon: Building2,
    page: '/organisation/$section',
    operation: 'GET /v1/admin/organisation',
    entry: { group: 'settings', to: '/organisation/$section', params: { section: 'general' }, label: t.organisation, shortcut: 's' },
  },
  connection: {
    idPrefix: 'con',
    icon: Cable,
    page: '/connections/$id/{-$tab}',
    operation: 'GET /v1/admin/connections/{id}',
    entry: { group: 'settings', to: '/connections', label: t.connections, operation: 'GET /v1/admin/connections', shortcut: 'n' },
  },
  directory: {
    idPrefix: 'dir',
    icon: FolderSync,
    page: '/directories/$id/{-$tab}',
    operation: 'GET /v1/admin/directories/{id}',
    entry: { group: 'settings', to: '/directories', label: t.directories, operation: 'GET /v1/admin/directories', shortcut: 'y' },
  },
  domain: {
    idPrefix: 'dom',
    icon: Globe,
    page: '/domains/$id',
    operation: 'GET /v1/admin/domains/{id}',
    entry: { group: 'settings', to: '/domains', label: t.domains, operation: 'GET /v1/admin/domains', shortcut: 'm' },
  },
  setup_link: {
    idPrefix: 'sul',
    icon: Link2,
    page: '/setup-links/$id',
    operation: 'GET /v1/admin/setup-links',
  },
} as const satisfies Partial<{ [K in KindName]: Place & { idPrefix?: Kinds[K]['idPrefix'] } }>

/** The place of a kind, if the console has pages for it. */
export const placeOf = (kind: string): Place | undefined => (Object.hasOwn(places, kind) ? places[kind as keyof typeof places] : undefined)

/** The address of the page that shows a record. */
export const pathIn = ({ page, parameter }: Place, id: string): string =>
  parameter ? `${page}?${parameter}=${id}` : page.replace('$id', id).replace('/{-$tab}', '')
