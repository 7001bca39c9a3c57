import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LogIn } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { connectionsQuery } from '../../api/connections.ts'
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
import { Disclosure } from '../../ui/disclosure.tsx'
import { Form, FormActions, FormRow } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
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
  const { email, ...further } = route.useSearch()
  const { set } = useListState()
  const query = useQuery({
    queryKey: ['sign-in-check', email, further],
    queryFn: ({ signal }) => answerOf(api.POST('/v1/admin/sign-in-checks', { body: { email: email ?? '', ...further }, signal })),
    enabled: email !== undefined,
    // Each check is limited, and recorded in the audit log: it is repeated only on request.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <>
      <Panel>
        <Question
          asked={{ email, ...further }}
          busy={query.isFetching}
          onAsk={(asks) => void set({ ...asks })}
          onAskAgain={() => void query.refetch()}
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

const names = ['email', 'clientId', 'connectionId', 'redirectUri', 'permission'] as const

type Asked = { [Name in (typeof names)[number]]?: string | undefined }

interface QuestionProps {
  asked: Asked
  busy: boolean
  onAsk: (asks: Asked) => void
  onAskAgain: () => void
}

const isSame = (left: Asked, right: Asked) => names.every((name) => left[name] === right[name])

/** Nothing is asked before the button is pressed: each check is recorded in the audit log. */
function Question({ asked, busy, onAsk, onAskAgain }: QuestionProps) {
  const [typed, setTyped] = useState(asked)
  const [wasAsked, setWasAsked] = useState(asked)
  const may = useMay()
  if (!isSame(asked, wasAsked)) {
    // Back, or a link: the fields are those of the check that is shown.
    setWasAsked(asked)
    setTyped(asked)
  }
  const { clientId, connectionId } = typed
  const asks: Asked = {
    email: typed.email?.trim().toLowerCase(),
    clientId,
    connectionId,
    // The service compares it with those of the application.
    redirectUri: (clientId && typed.redirectUri?.trim()) || undefined,
    permission: typed.permission?.trim() || undefined,
  }
  const isAgain = isSame(asks, asked)
  const field = (name: 'email' | 'redirectUri' | 'permission') => ({
    ...{ name, label: t[name], value: typed[name] ?? '', ...limitsOf(operation, name) },
    onValueChange: (text: string) => setTyped({ ...typed, [name]: text }),
  })
  return (
    <Form onSubmit={() => (isAgain ? onAskAgain() : onAsk(asks))}>
      <FormRow>
        <TextField {...field('email')} type="email" required autoFocus={asked.email === undefined} />
        {may('GET /v1/admin/clients') && (
          // A redirect URI is one of an application.
          <ApplicationField id={clientId} onChoose={(id) => setTyped({ ...typed, clientId: id, redirectUri: undefined })} />
        )}
      </FormRow>
      <Disclosure
        title={t.further}
        defaultOpen={asked.connectionId !== undefined || asked.redirectUri !== undefined || asked.permission !== undefined}
      >
        <FormRow>
          {may('GET /v1/admin/connections') && (
            <ConnectionField id={connectionId} onChoose={(id) => setTyped({ ...typed, connectionId: id })} />
          )}
          <TextField {...field('permission')} hint={t.permissionHint} mono />
        </FormRow>
        {clientId !== undefined && <TextField {...field('redirectUri')} hint={t.redirectUriHint} mono />}
      </Disclosure>
      <FormActions>
        <Button type="submit" variant="primary" busy={busy}>
          {isAgain && asked.email !== undefined ? t.again : t.check}
        </Button>
      </FormActions>
    </Form>
  )
}

interface ChoiceProps {
  id: string | undefined
  onChoose: (id: string | undefined) => void
}

/** Limits the check to one way. */
function ConnectionField({ id, onChoose }: ChoiceProps) {
  const { data } = useQuery(connectionsQuery)
  const connections = data?.data ?? []
  return (
    <Select
      label={t.connection}
      value={id ?? ''}
      options={[{ value: '', label: t.anyWay }, ...connections.map(({ id, name }) => ({ value: id, label: name }))]}
      onValueChange={(chosen) => onChoose(chosen || undefined)}
    />
  )
}

function ApplicationField({ id, onChoose }: ChoiceProps) {
  const { data } = useQuery({ ...namesQuery('clients', id ?? ''), enabled: id !== undefined })
  return (
    <Picker
      of="clients"
      label={t.application}
      placeholder={t.anyApplication}
      value={id === undefined ? [] : [{ value: id, label: data ?? id }]}
      onValueChange={(items) => onChoose(items.at(-1)?.value)}
    />
  )
}
