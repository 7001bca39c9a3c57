import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Scale } from 'lucide-react'
import { decideGrants } from '../../../../shared/assertion-grants.ts'
import type { AuthorizationServer } from '../../api/authorization-servers.ts'
import { type Client, clientQuery } from '../../api/clients.ts'
import { useMay } from '../../api/profile.ts'
import { type UserDetails, userQuery } from '../../api/users.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Picker } from '../../parts/pickers.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { useWhyNot } from '../../parts/use-change.ts'
import { otherApisTexts as t } from '../../texts/other-apis.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { FormRow } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'

const route = getRouteApi('/shell/other-apis/$id/{-$tab}')
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const readUser = 'GET /v1/admin/users/{id}'
const readClient = 'GET /v1/admin/clients/{id}'

/** What an application may do for a user at the APIs of the other company. */
export function WhoMayDoWhat({ server }: { server: AuthorizationServer }) {
  const { userId, clientId } = route.useSearch()
  const may = useMay()
  const whyNot = useWhyNot()
  const [mayReadUsers, mayReadClients] = [may(readUser), may(readClient)]
  const user = useQuery({ ...userQuery(userId ?? ''), enabled: mayReadUsers && userId !== undefined })
  const client = useQuery({ ...clientQuery(clientId ?? ''), enabled: mayReadClients && clientId !== undefined })
  if (!mayReadUsers || !mayReadClients) {
    return (
      <Panel title={t.ask}>
        <Notice tone="neutral">{mayReadUsers ? whyNot(readClient) : whyNot(readUser)}</Notice>
      </Panel>
    )
  }
  return (
    <>
      <Panel title={t.ask} description={t.askDescription}>
        <FormRow>
          <Choice of="users" label={t.user} parameter="userId" id={userId} name={nameIn(user)} />
          <Choice of="clients" label={t.application} parameter="clientId" id={clientId} name={nameIn(client)} />
        </FormRow>
      </Panel>
      {userId && clientId ? <Allowed server={server} user={user} client={client} /> : <EmptyState icon={Scale} title={t.chooseBoth} />}
    </>
  )
}

/** Short while it loads: an id would take a line of its own, which the name gives back. */
const nameIn = ({ data, isPending }: UseQueryResult<{ body: { name: string } }>) => data?.body.name ?? (isPending ? '…' : undefined)

interface ChoiceProps {
  of: 'users' | 'clients'
  label: string
  parameter: 'userId' | 'clientId'
  id: string | undefined
  name: string | undefined
}

function Choice({ of, label, parameter, id, name }: ChoiceProps) {
  const { set } = useListState()
  return (
    <Picker
      of={of}
      label={label}
      value={id === undefined ? [] : [{ value: id, label: name ?? id }]}
      onValueChange={(items) => void set({ [parameter]: items.at(-1)?.value })}
    />
  )
}

interface AllowedProps {
  server: AuthorizationServer
  user: UseQueryResult<{ body: UserDetails }>
  client: UseQueryResult<{ body: Client }>
}

function Allowed({ server, user, client }: AllowedProps) {
  const failed = [user, client].find(({ error }) => error !== null)
  if (failed?.error) return <ProblemPanel error={failed.error} onRetry={() => void failed.refetch()} />
  if (!user.data || !client.data) return <ListSkeleton columns={2} rows={2} />
  const { name, roles, teams, blockedAt } = user.data.body
  const { id: clientId, name: application, isActive, grantTypes } = client.data.body
  const membership = { roleIds: roles.map(({ id }) => id), teamIds: teams.map(({ id }) => id) }
  const allowed = server.resources.flatMap(({ identifier }) => {
    const there = decideGrants(server, { clientId, resources: [identifier], scopes: undefined }, membership)
    // The service issues nothing for an application without a name there.
    return there?.downstreamClientId && there.scopes.length > 0
      ? [{ identifier, scopes: there.scopes, knownAs: there.downstreamClientId }]
      : []
  })
  const knownAs = [...new Set(allowed.map((one) => one.knownAs))].join(', ')
  const obstacles = [
    ...(server.isActive ? [] : [t.isOff]),
    ...(isActive && grantTypes.includes(tokenExchange) ? [] : [t.clientGetsNone(application)]),
    ...(blockedAt === null ? [] : [t.userBlocked(name)]),
  ]
  return (
    <div aria-live="polite">
      {allowed.length === 0 ? (
        <Notice tone="neutral" title={t.mayDoNothing(application, name)}>
          {t.mayDoNothingReason}
        </Notice>
      ) : (
        <Panel title={t.mayDo(application, name)}>
          {obstacles.map((obstacle) => (
            <Notice key={obstacle} tone="warning">
              {obstacle}
            </Notice>
          ))}
          {server.requiredAcr && <p>{t.level(t.levels[server.requiredAcr])}</p>}
          <Facts
            items={[
              ...allowed.map(({ identifier, scopes }) => ({ term: identifier, value: <code>{scopes.join(' ')}</code> })),
              { term: t.knownAs, value: <code>{knownAs}</code> },
            ]}
          />
        </Panel>
      )}
    </div>
  )
}
