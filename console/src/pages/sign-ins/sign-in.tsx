import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type SignIn as Shown, signInQuery } from '../../api/sign-ins.ts'
import { RecordLink } from '../../parts/audit-sentence.tsx'
import { ConnectionLink } from '../../parts/connection-link.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { Time } from '../../parts/time.tsx'
import { signInsTexts as t } from '../../texts/sign-ins.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './sign-ins.module.css'
import { Steps } from './steps.tsx'

const route = getRouteApi('/shell/sign-ins/$id')

export function SignIn() {
  return (
    <Permitted to="GET /v1/admin/sign-ins/{id}">
      <SignInPage />
    </Permitted>
  )
}

const tones: Record<Shown['state'], Tone> = { active: 'success', ended: 'neutral', not_signed_in: 'warning', unknown: 'neutral' }

/** A sign-in as a time line: from the first request to the end of its session. */
function SignInPage() {
  const { id } = route.useParams()
  const query = useQuery(signInQuery(id))
  return (
    <RecordPage
      query={query}
      back={{ to: '/audit', label: t.audit }}
      titleOf={({ user }) => (user ? t.titleOf(user.name ?? user.email ?? user.id) : t.title)}
      badgeOf={({ state }) => <Badge tone={tones[state]}>{t.states[state]}</Badge>}
      idOf={(signIn) => signIn.id}
    >
      {(signIn) => (
        <div className={styles.page}>
          <Panel>
            <Facts items={factsOf(signIn)} />
          </Panel>
          <Panel title={t.steps} description={t.olderThanKept}>
            <div className={styles.steps}>
              {signIn.leftOut.map((permission) => (
                <p key={permission}>{t.leftOut[permission]}</p>
              ))}
              <Steps steps={signIn.steps} client={signIn.client} />
              {!signIn.isComplete && <p>{t.incomplete}</p>}
            </div>
          </Panel>
        </div>
      )}
    </RecordPage>
  )
}

function factsOf({ user, client, connection, begunAt, endedAt, state }: Shown) {
  return [
    {
      term: t.user,
      value: user ? <RecordLink type="user" id={user.id} name={user.name ?? user.email} /> : t.notKnown,
    },
    ...(client ? [{ term: t.application, value: <RecordLink type="client" id={client.id} name={client.name} /> }] : []),
    ...(connection ? [{ term: t.connection, value: <ConnectionLink id={connection.id} /> }] : []),
    { term: t.began, value: <Time at={begunAt} exact /> },
    { term: t.ended, value: endedAt ? <Time at={endedAt} exact /> : endOf(state) },
  ]
}

function endOf(state: Shown['state']): string {
  if (state === 'active') return t.lasts
  if (state === 'not_signed_in') return t.never
  return state === 'ended' ? t.endNotKnown : t.notKnown
}
