import type { ReactNode } from 'react'
import type { OperationName } from '../api/operations.ts'
import { useMay } from '../api/profile.ts'
import type { components } from '../api/schema.d.ts'
import { actionTexts as t } from '../texts/actions.ts'
import { Link } from '../ui/link.tsx'
import { Id } from './copy.tsx'
import { filled } from './filled.tsx'

export type AuditEntry = components['schemas']['AuditEntry']

/** Describes an audit entry in a sentence: the actor, the action and the target, each with a link to its page if it has one. */
export function AuditSentence({ entry }: { entry: AuditEntry }) {
  const { action, target, metadata } = entry
  const values = {
    actor: <Actor entry={entry} />,
    target: (
      <RecordLink
        type={target.type}
        // A passkey is on the page of its user.
        id={target.type === 'passkey' ? textOf(metadata?.userId) : target.id}
        name={target.name}
        isGone={endsItsTarget(action)}
      />
    ),
    action: <code>{action}</code>,
    role: <RecordLink type="role" id={textOf(metadata?.roleId)} name={textOf(metadata?.roleSlug)} />,
    permission: <code>{permissionOf(metadata?.permission)}</code>,
    member: <RecordLink type="user" id={textOf(metadata?.userId)} name={t.member} />,
    email: <RecordLink type="invitation" id={target.id} name={textOf(metadata?.email) ?? target.name} />,
  }
  return <>{filled(templateOf(entry), values)}</>
}

function templateOf(entry: AuditEntry): string {
  const known = (sentences: Record<string, string>) => (Object.hasOwn(sentences, entry.action) ? sentences[entry.action] : undefined)
  return (isToThemselves(entry) ? known(t.toThemselves) : undefined) ?? known(t.sentences) ?? t.unknown
}

/** Whether users acted on themselves. A session has the address of its user. */
const isToThemselves = ({ actor, target, targetEmail }: AuditEntry): boolean =>
  actor.id !== null && (actor.id === target.id || (target.type === 'session' && actor.email !== null && actor.email === targetEmail))

const endsItsTarget = (action: string): boolean => /\.(deleted|erased)$/.test(action)

const sentencesOfPrograms = { api_key: t.byApiKey, client: t.byClient, directory: t.byDirectory, setup_link: t.bySetupLink }

function Actor({ entry: { actor, ipAddress } }: { entry: AuditEntry }) {
  if (actor.type === 'user') return <RecordLink type="user" id={actor.id ?? undefined} name={actor.id ? actor.name : t.somebody} />
  if (actor.type === 'system') return <strong>{ipAddress === null && actor.id === null ? t.bySystem : t.byOperator}</strong>
  const name = <RecordLink type={actor.type} id={actor.id ?? undefined} name={actor.name} />
  return <>{filled(sentencesOfPrograms[actor.type], { name })}</>
}

interface RecordLinkProps {
  type: string
  id: string | undefined
  name: string | null | undefined
  /** Whether the record has no page any more. */
  isGone?: boolean
}

/** The name of a record, as a link to its page for users who may see it. */
export function RecordLink({ type, id, name, isGone = false }: RecordLinkProps) {
  const may = useMay()
  const shown = name || (id ? <Id value={id} /> : t.somebody)
  const page = pages[type]
  if (!page || !id || !name || isGone || !may(page.operation)) return <strong>{shown}</strong>
  return <>{page.link(id, name)}</>
}

const pages: Record<string, { operation: OperationName; link: (id: string, name: string) => ReactNode } | undefined> = {
  user: {
    operation: 'GET /v1/admin/users/{id}',
    link: (id, name) => (
      <Link to="/users/$id/{-$tab}" params={{ id, tab: undefined }}>
        {name}
      </Link>
    ),
  },
  passkey: {
    operation: 'GET /v1/admin/users/{id}/passkeys',
    link: (id, name) => (
      <Link to="/users/$id/{-$tab}" params={{ id, tab: 'passkeys' }}>
        {name}
      </Link>
    ),
  },
  resource_server: {
    operation: 'GET /v1/admin/resource-servers/{id}',
    link: (id, name) => (
      <Link to="/resources/$id/{-$tab}" params={{ id, tab: undefined }}>
        {name}
      </Link>
    ),
  },
  directory: {
    operation: 'GET /v1/admin/directories/{id}',
    link: (id, name) => (
      <Link to="/directories/$id/{-$tab}" params={{ id, tab: undefined }}>
        {name}
      </Link>
    ),
  },
  setup_link: {
    operation: 'GET /v1/admin/setup-links',
    link: (id, name) => (
      <Link to="/setup-links/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  role: {
    operation: 'GET /v1/admin/roles/{id}',
    link: (id, name) => (
      <Link to="/roles/$id/{-$tab}" params={{ id, tab: undefined }}>
        {name}
      </Link>
    ),
  },
  team: {
    operation: 'GET /v1/admin/teams/{id}',
    link: (id, name) => (
      <Link to="/teams/$id/{-$tab}" params={{ id, tab: undefined }}>
        {name}
      </Link>
    ),
  },
  client: {
    operation: 'GET /v1/admin/clients/{id}',
    link: (id, name) => (
      <Link to="/applications/$id/{-$tab}" params={{ id, tab: undefined }}>
        {name}
      </Link>
    ),
  },
  webhook: {
    operation: 'GET /v1/admin/webhooks/{id}',
    link: (id, name) => (
      <Link to="/webhooks/$id/{-$tab}" params={{ id, tab: undefined }}>
        {name}
      </Link>
    ),
  },
  api_key: {
    operation: 'GET /v1/admin/api-keys',
    link: (_id, name) => (
      <Link to="/api-keys" search={{ q: name }}>
        {name}
      </Link>
    ),
  },
  invitation: {
    operation: 'GET /v1/admin/invitations',
    link: (_id, name) => (
      <Link to="/invitations" search={{ q: name }}>
        {name}
      </Link>
    ),
  },
  organisation: {
    operation: 'GET /v1/admin/organisation',
    link: (_id, name) => (
      <Link to="/organisation/$section" params={{ section: 'general' }}>
        {name}
      </Link>
    ),
  },
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The slug of a permission, which is given as a slug or a record. */
const permissionOf = (value: unknown): string | undefined =>
  textOf(value) ?? (value !== null && typeof value === 'object' && 'slug' in value ? textOf(value.slug) : undefined)
