import { useState } from 'react'
import type { Directory } from '../../api/directories.ts'
import { Copyable } from '../../parts/copy.tsx'
import { formatRelative } from '../../parts/format.ts'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import styles from './directories.module.css'
import { DirectoryTokens } from './directory-tokens.tsx'

const kinds = ['entra', 'okta', 'google', 'other'] as const
type Kind = (typeof kinds)[number]

/** The kind of directory that a name speaks of. */
const kindIn = (name: string): Kind => kinds.find((kind) => name.toLowerCase().includes(kind)) ?? 'other'

/** What the other side needs, whether it calls, and what it manages. */
export function DirectoryOverview({ directory }: { directory: Directory }) {
  const { id, name, baseUrl, counts } = directory
  const [kind, setKind] = useState<Kind>(kindIn(name))
  return (
    <>
      <Liveness directory={directory} />
      <Panel title={t.connection} description={t.connectionDescription}>
        <Facts items={[{ term: t.baseUrl, value: <Copyable text={baseUrl} mono /> }]} />
        <div className={styles.guide}>
          <Segmented
            label={t.guide}
            options={kinds.map((value) => ({ value, label: t.kinds[value] }))}
            value={kind}
            onValueChange={setKind}
          />
          <ol className={styles.steps}>
            {t.steps[kind].map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </div>
      </Panel>
      <DirectoryTokens directory={directory} />
      <Panel title={t.manages}>
        <Facts
          items={[
            { term: t.managed, value: t.usersOf(counts.users) },
            {
              term: t.groups,
              value: (
                <Link to="/directories/$id/{-$tab}" params={{ id, tab: 'groups' }}>
                  {t.groupsOf(counts.groups)}
                </Link>
              ),
            },
          ]}
        />
      </Panel>
    </>
  )
}

function Liveness({ directory: { id, isActive, lastRequestAt, status } }: { directory: Directory }) {
  const requests = (
    <Link to="/directories/$id/{-$tab}" params={{ id, tab: 'requests' }}>
      {t.seeRequests}
    </Link>
  )
  return (
    <div role="status">
      {status.since ? (
        <Notice tone="danger" title={t.failingSince(formatRelative(status.since))}>
          {status.error !== null && <p lang="en">{status.error}</p>}
          {requests}
        </Notice>
      ) : lastRequestAt ? (
        <Notice tone="success" title={t.arrived(formatRelative(lastRequestAt))}>
          {requests}
        </Notice>
      ) : (
        isActive && (
          <Notice tone="neutral" title={t.waiting}>
            {t.waitingDescription}
          </Notice>
        )
      )}
    </div>
  )
}
