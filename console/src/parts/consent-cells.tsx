import { Chip } from '../ui/badge.tsx'
import { Time } from './time.tsx'

interface ConsentedProps {
  /** Scopes and APIs. */
  names: readonly string[]
  claims: readonly string[]
  lastUsedAt: string | null
  managedBy: { name: string } | null
  texts: { lastUsed: string; managedBy: (connection: string) => string }
}

/** What an application may do for a user, and when it last did. */
export function Consented({ names, claims, lastUsedAt, managedBy, texts }: ConsentedProps) {
  return (
    <>
      {names.map((name) => (
        <Chip key={name}>{name}</Chip>
      ))}
      {claims.map((claim) => (
        <Chip key={`claim ${claim}`}>{claim}</Chip>
      ))}
      {lastUsedAt && (
        <div>
          {texts.lastUsed} <Time at={lastUsedAt} />
        </div>
      )}
      {managedBy && <div>{texts.managedBy(managedBy.name)}</div>}
    </>
  )
}

/** Since when an application may, and until when. */
export function ConsentTimes({ grantedAt, expiresAt }: { grantedAt: string; expiresAt: string | null }) {
  return (
    <>
      <Time at={grantedAt} />
      {expiresAt && (
        <div>
          – <Time at={expiresAt} />
        </div>
      )}
    </>
  )
}
