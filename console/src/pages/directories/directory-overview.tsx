import { useState } from 'react'
import type { Directory } from '../../api/directories.ts'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ConnectGuide } from './connect-guide.tsx'
import { DirectoryTokens } from './directory-tokens.tsx'
import { type Kind, kindIn } from './kinds.ts'
import { Liveness } from './liveness.tsx'

/** What the other side needs, whether it calls, and what it manages. */
export function DirectoryOverview({ directory }: { directory: Directory }) {
  const { id, name, counts } = directory
  const [kind, setKind] = useState<Kind>(kindIn(name))
  return (
    <>
      <Liveness directory={directory} />
      <ConnectGuide directory={directory} kind={kind} onKindChange={setKind} />
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
