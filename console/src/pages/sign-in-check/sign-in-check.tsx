import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LogIn } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { limitsOf } from '../../api/operations.ts'
import { useMay } from '../../api/profile.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { namesQuery, Picker } from '../../parts/pickers.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { signInCheckTexts as t } from '../../texts/sign-in-check.ts'
import { Button } from '../../ui/button.tsx'
import { Form, FormActions, FormRow } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Result } from './result.tsx'

const operation = 'POST /v1/admin/sign-in-checks'
const route = getRouteApi('/shell/sign-in-check')

export function SignInCheck() {
  return (
    <Permitted to={operation}>
      <PageTitle>{t.title}</PageTitle>
      <PageHead title={t.title} description={t.description} />
      <Check />
    </Permitted>
  )
}

function Check() {
  const { email, clientId } = route.useSearch()
  const { set } = useListState()
  const query = useQuery({
    queryKey: ['sign-in-check', email, clientId],
    queryFn: ({ signal }) =>
      answerOf(api.POST('/v1/admin/sign-in-checks', { body: { email: email ?? '', ...(clientId && { clientId }) }, signal })),
    enabled: email !== undefined,
    // Each check is limited, and recorded in the audit log: it is repeated only on request.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <>
      <Panel>
        <Question
          key={email ?? ''}
          email={email ?? ''}
          busy={query.isFetching}
          onAsk={(asked) => (asked === email ? void query.refetch() : void set({ email: asked }))}
        />
      </Panel>
      {query.error && <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && email ? (
        <Result email={email} check={query.data} />
      ) : query.isFetching ? (
        <ListSkeleton columns={1} rows={6} />
      ) : (
        !query.error && <EmptyState icon={LogIn} title={t.begin} description={t.beginDescription} />
      )}
    </>
  )
}

function Question({ email, busy, onAsk }: { email: string; busy: boolean; onAsk: (email: string) => void }) {
  const [text, setText] = useState(email)
  const seesClients = useMay()('GET /v1/admin/clients')
  const asked = text.trim().toLowerCase()
  return (
    <Form onSubmit={() => onAsk(asked)}>
      <FormRow>
        <TextField
          name="email"
          type="email"
          label={t.email}
          {...limitsOf(operation, 'email')}
          required
          value={text}
          onValueChange={setText}
          autoFocus={email === ''}
        />
        {seesClients && <ApplicationField />}
      </FormRow>
      <FormActions>
        <Button type="submit" variant="primary" busy={busy}>
          {asked !== '' && asked === email ? t.again : t.check}
        </Button>
      </FormActions>
    </Form>
  )
}

function ApplicationField() {
  const { clientId } = route.useSearch()
  const { set } = useListState()
  const { data } = useQuery({ ...namesQuery('clients', clientId ?? ''), enabled: clientId !== undefined })
  return (
    <Picker
      of="clients"
      label={t.application}
      placeholder={t.anyApplication}
      value={clientId === undefined ? [] : [{ value: clientId, label: data ?? clientId }]}
      onValueChange={(items) => void set({ clientId: items.at(-1)?.value })}
    />
  )
}
