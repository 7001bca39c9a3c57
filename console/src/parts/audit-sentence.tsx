import { useMay } from '../api/profile.ts'
import type { components } from '../api/schema.d.ts'
import { actionTexts as t } from '../texts/actions.ts'
import { Link } from '../ui/link.tsx'
import { Id } from './copy.tsx'
import { filled } from './filled.tsx'
import { placeOf } from './places.ts'

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
  // A passkey is on the page of its user.
  const place = placeOf(type === 'passkey' ? 'user' : type)
  const operation = type === 'passkey' ? 'GET /v1/admin/users/{id}/passkeys' : place?.operation
  if (!place || !operation || !id || !name || isGone || !may(operation)) return <strong>{shown}</strong>
  const params = { id, tab: type === 'passkey' ? 'passkeys' : undefined, section: 'general' }
  return (
    <Link {...({ to: place.page, ...(place.parameter ? { search: { [place.parameter]: id } } : { params }) } as { to: string })}>
      {name}
    </Link>
  )
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The slug of a permission, which is given as a slug or a record. */
const permissionOf = (value: unknown): string | undefined =>
  textOf(value) ?? (value !== null && typeof value === 'object' && 'slug' in value ? textOf(value.slug) : undefined)
