import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { type Directory, directoryQuery } from '../../api/directories.ts'
import { invalidate } from '../../api/keys.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { Refusal } from '../../parts/confirm.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { Time } from '../../parts/time.tsx'
import { useWhyNot } from '../../parts/use-change.ts'
import { useShowCreated } from '../../parts/use-creation.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTyped } from '../../parts/use-typed.tsx'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Link, LinkButton } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { ConnectGuide } from './connect-guide.tsx'
import styles from './directories.module.css'
import { DirectoryTokens } from './directory-tokens.tsx'
import { isKind, type Kind, kindIn } from './kinds.ts'
import { Liveness } from './liveness.tsx'

const operation = 'POST /v1/admin/directories'
const route = getRouteApi('/shell/directories/new')
const askEveryMilliseconds = 3_000
const shownRequests = 5

/** The guide, from the name of a directory to its first request. The address names what was created: it continues after a reload. */
export function NewDirectory() {
  const { directory, kind } = route.useSearch()
  return (
    <Permitted to={directory === undefined ? operation : 'GET /v1/admin/directories/{id}'}>
      <PageTitle>{t.connect}</PageTitle>
      <PageHead title={t.connect} description={t.newDescription} back={<Link to="/directories">{shellTexts.directories}</Link>} />
      {directory === undefined ? <NameIt /> : <ConnectIt id={directory} kind={isKind(kind) ? kind : undefined} />}
    </Permitted>
  )
}

function NameIt() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const showCreated = useShowCreated('GET /v1/admin/directories/{id}')
  const whyNot = useWhyNot()(operation)
  const [kind, setKind] = useState<Kind>('entra')
  /** Undefined while it is proposed by the kind. */
  const [typed, setTyped] = useState<string>()
  const leaving = useTyped(() => true, { onEveryPage: true })
  const submission = useSubmit({
    fields: ['name'],
    work: async (form) => {
      const name = String(form.get('name')).trim()
      const made = await answerOf(api.POST('/v1/admin/directories', { body: { name } }))
      leaving.clear()
      await invalidate(queries, 'directories')
      await showCreated(name, () => navigate({ to: '/directories/new', search: { directory: made.id, kind }, replace: true }))
    },
  })
  return (
    <Panel>
      <Form errors={submission.errors} onSubmit={submission.onSubmit} onInput={leaving.note}>
        <RadioCards
          compact
          legend={t.kind}
          name="kind"
          value={kind}
          onValueChange={(value) => setKind(value as Kind)}
          options={Object.entries(t.kinds).map(([value, label]) => ({ value, label }))}
        />
        <ApiTextField
          of={operation}
          name="name"
          label={shellTexts.name}
          value={typed ?? (kind === 'other' ? '' : t.kinds[kind])}
          onValueChange={setTyped}
        />
        <Refusal of={submission} />
        {whyNot !== undefined && <Notice tone="warning">{whyNot}</Notice>}
        <FormActions>
          <LinkButton to="/directories">{shellTexts.cancel}</LinkButton>
          <Button type="submit" variant="primary" busy={submission.busy} disabledReason={whyNot}>
            {t.connect}
          </Button>
        </FormActions>
        {leaving.question}
      </Form>
    </Panel>
  )
}

function ConnectIt({ id, kind: chosen }: { id: string; kind: Kind | undefined }) {
  const navigate = useNavigate()
  const query = useQuery({ ...directoryQuery(id), refetchInterval: askEveryMilliseconds })
  if (!query.data)
    return query.error ? <ProblemPanel error={query.error} onRetry={() => void query.refetch()} /> : <ListSkeleton columns={2} rows={4} />
  const directory = query.data.body
  const kind = chosen ?? kindIn(directory.name)
  return (
    <>
      <Liveness directory={directory} />
      {directory.lastRequestAt !== null && <Arrived directory={directory} />}
      <DirectoryTokens directory={directory} />
      <ConnectGuide
        directory={directory}
        kind={kind}
        onKindChange={(next) => void navigate({ to: '/directories/new', search: { directory: id, kind: next }, replace: true })}
      />
      <FormActions>
        <LinkButton to="/directories/$id/{-$tab}" params={{ id }}>
          {t.openIt(directory.name)}
        </LinkButton>
      </FormActions>
    </>
  )
}

/** What the directory has sent so far, and what became of it. */
function Arrived({ directory: { id, lastRequestAt } }: { directory: Directory }) {
  const { data } = useQuery({
    queryKey: ['directories', id, 'arrived', lastRequestAt],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/admin/directories/{id}/requests', { params: { path: { id }, query: { limit: shownRequests } }, signal })),
    refetchInterval: askEveryMilliseconds,
  })
  if (!data || data.data.length === 0) return null
  return (
    <Panel title={t.arrivedTitle} description={t.arrivedDescription}>
      <ul className={styles.arrived}>
        {data.data.map(({ id: requestId, method, path, status, detail, createdAt }) => (
          <li key={requestId}>
            <Badge tone={status >= 400 ? 'danger' : 'success'}>{String(status)}</Badge>
            <code>{`${method} ${path}`}</code>
            {detail !== null && <span lang="en">{detail}</span>}
            <Time at={createdAt} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
