import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Stethoscope } from 'lucide-react'
import { useCallback, useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import type { Diagnostic } from '../api/clients.ts'
import { connectionsQuery } from '../api/connections.ts'
import { useMay } from '../api/profile.ts'
import { refusalTitles } from '../texts/refusal-titles.ts'
import { refusalsTexts as t } from '../texts/refusals.ts'
import { Badge, Chip } from '../ui/badge.tsx'
import { Link } from '../ui/link.tsx'
import { Switch } from '../ui/switch.tsx'
import { TwoLines } from '../ui/table.tsx'
import { alikeRefusals } from './alike-refusals.ts'
import { ConnectionLink } from './connection-link.tsx'
import { EmptyState } from './empty-state.tsx'
import { endpointName } from './endpoint-name.ts'
import type { Filter } from './filter-bar.tsx'
import { formatExact } from './format.ts'
import { useListState } from './list-state.ts'
import { pickedFilter } from './picked-filter.tsx'
import { type Column, ResourceList } from './resource-list.tsx'
import { Time } from './time.tsx'
import { usePreference } from './use-preference.ts'

type Row = Diagnostic & { id: string; times: number }

const liveMilliseconds = 3_000

/** Refused requests, the newest first: of the organisation, or of one application. */
export function RefusalList({ clientId }: { clientId?: string }) {
  const navigate = useNavigate()
  const [isLive, setLive] = useState(true)
  const [isGrouped, setGrouped] = useState(true)
  const filters = useFilters(clientId === undefined)
  const load = useCallback(
    async (query: object, signal: AbortSignal) => {
      const { sort, ...asked } = query as Record<string, string>
      const of = clientId === undefined ? asked : { ...asked, clientId }
      const { data, nextCursor } = await answerOf(api.GET('/v1/admin/diagnostics', { params: { query: of }, signal }))
      const refusals: [Diagnostic, number][] = isGrouped ? alikeRefusals(data) : data.map((refusal) => [refusal, 1])
      const rows = refusals.map(([refusal, times]) => ({ ...refusal, id: refusal.reference, times }))
      return { data: rows, nextCursor, ...(isGrouped && { records: data.length }) }
    },
    [clientId, isGrouped],
  )
  const open = useCallback(({ reference }: Row) => void navigate({ to: '/diagnostics/$reference', params: { reference } }), [navigate])
  return (
    <ResourceList
      label={t.title}
      queryKey={['diagnostics', ...(clientId === undefined ? [] : ['client', clientId]), isGrouped ? 'alike' : 'each']}
      load={load}
      columns={clientId === undefined ? columnsOfAll : columnsOfOne}
      nameOf={nameOf}
      onOpen={open}
      filters={filters}
      tools={
        <>
          <Switch label={t.groupAlike} checked={isGrouped} onCheckedChange={setGrouped} />
          <Switch label={t.live} checked={isLive} onCheckedChange={setLive} />
        </>
      }
      {...(isLive && { refetchInterval: liveMilliseconds })}
      empty={<EmptyState icon={Stethoscope} title={clientId === undefined ? t.empty : t.emptyOfClient} description={t.emptyDescription} />}
    />
  )
}

const nameOf = ({ reference }: Row) => reference

const application: Column<Row> = {
  key: 'application',
  header: t.application,
  priority: 2,
  cell: ({ clientId, clientName, connectionId }) =>
    connectionId !== null ? (
      <ConnectionLink id={connectionId} />
    ) : clientId === null ? (
      t.unknownApplication
    ) : (
      <Link to="/applications/$id/{-$tab}" params={{ id: clientId, tab: 'refusals' }} subtle>
        {clientName ?? clientId}
      </Link>
    ),
}

const columnsOfOne: readonly Column<Row>[] = [
  {
    key: 'what',
    wraps: true,
    header: t.what,
    cell: ({ reference, endpoint, times, ...refusal }) => (
      <TwoLines
        title={
          <Link to="/diagnostics/$reference" params={{ reference }} subtle>
            {refusalTitles.titleOf({ endpoint, ...refusal })}
          </Link>
        }
        detail={
          <>
            {endpointName(endpoint)} · {reference} {times > 1 && <Chip>{refusalTitles.times(times)}</Chip>}
          </>
        }
      />
    ),
  },
  { key: 'error', header: t.error, card: 'plain', cell: ({ error }) => <Badge tone="danger">{error}</Badge> },
  { key: 'check', header: t.check, priority: 2, cell: ({ check }) => <Chip>{check}</Chip> },
  { key: 'time', header: t.time, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

const columnsOfAll = columnsOfOne.toSpliced(-1, 0, application)

const checks = [
  'access_token',
  'client_assertion',
  'client_assertion_type',
  'client_certificate',
  'assertion',
  'assertion_algorithm',
  'assertion_audience',
  'assertion_client',
  'assertion_id',
  'assertion_issuer',
  'assertion_lifetime',
  'assertion_signature',
  'assertion_subject',
  'assertion_tenant',
  'assertion_type',
  'audience',
  'claims_parameter',
  'client_authentication',
  'client_id',
  'client_secret',
  'client_state',
  'federated_token',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'consent',
  'device_code',
  'dpop',
  'dpop_jkt',
  'grant_type',
  'post_logout_redirect_uri',
  'redirect_uri',
  'refresh_token',
  'request',
  'request_uri',
  'scope',
  'session',
  'token_endpoint_auth_method',
]

const errors = [
  'access_denied',
  'consent_required',
  'expired_token',
  'insufficient_scope',
  'insufficient_user_authentication',
  'invalid_client',
  'invalid_dpop_proof',
  'invalid_grant',
  'invalid_request',
  'invalid_request_object',
  'invalid_scope',
  'invalid_token',
  'login_required',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'use_dpop_nonce',
]

const asOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

function useFilters(ofAnyClient: boolean): Filter[] {
  usePreference('zone')
  const { search } = useListState()
  const [times] = useState(() => [
    { value: hoursAgo(1), label: t.lastHour },
    { value: hoursAgo(24), label: t.lastDay },
  ])
  const { from, check, error, connectionId } = search
  const mayNameConnections = useMay()('GET /v1/admin/connections')
  const { data } = useQuery({ ...connectionsQuery, enabled: mayNameConnections && connectionId !== undefined })
  const other = from !== undefined && !times.some(({ value }) => value === from) ? [{ value: from, label: t.since(formatExact(from)) }] : []
  return [
    ...(ofAnyClient ? [pickedFilter('clientId', 'clients', t.anyApplication)] : []),
    ...(connectionId === undefined
      ? []
      : [
          {
            name: 'connectionId',
            label: t.connection,
            any: t.anyConnection,
            options: [{ value: connectionId, label: data?.data.find(({ id }) => id === connectionId)?.name ?? connectionId }],
          },
        ]),
    { name: 'check', label: t.check, any: t.anyCheck, options: asOptions(withCurrent(checks, check)) },
    { name: 'error', label: t.error, any: t.anyError, options: asOptions(withCurrent(errors, error)) },
    { name: 'from', label: t.time, any: t.anyTime, options: [...times, ...other] },
  ]
}

/** Adds the value from the URL to the choices. */
const withCurrent = (values: readonly string[], current: string | undefined) =>
  current === undefined || values.includes(current) ? values : [...values, current]

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
