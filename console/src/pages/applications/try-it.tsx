import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Play, Square } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import type { Client } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { serviceQuery } from '../../api/service.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { BlockedLink } from '../../parts/blocked-link.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { useWhyNot } from '../../parts/use-change.ts'
import { tryTexts as t } from '../../texts/try-it.ts'
import { Button } from '../../ui/button.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { usesCertificate } from './client-fields.ts'
import { credentialsOf, forgetCredentials } from './created-secret.ts'
import type { Step } from './try-calls.ts'
import { tryPath } from './try-channel.ts'
import styles from './try-it.module.css'
import { authorizeUrl, runAttempt } from './try-run.ts'

const KeyField = lazyNamed(() => import('./key-field.tsx'), 'KeyField')
/** It is not shown before the first attempt. */
const TryStep = lazyNamed(() => import('./try-step.tsx'), 'TryStep')

type Grant = 'authorization_code' | 'client_credentials'

/** Runs the flow of an application at its registered address, and shows each step as it happens. */
export function TryIt({ client }: { client: Client }) {
  const service = useQuery(serviceQuery)
  const grants = (['authorization_code', 'client_credentials'] as const).filter((grant) => client.grantTypes.includes(grant))
  if (service.error && !service.data) return <ProblemPanel error={service.error} onRetry={() => void service.refetch()} />
  if (!service.data) return <ListSkeleton columns={1} rows={3} />
  // The notice above says that it is revoked.
  if (!client.isActive) return null
  const why =
    grants.length === 0 ? t.noGrant : !globalThis.crypto.subtle ? t.insecure : needsCertificate(client) ? t.certificate : undefined
  if (why) return <Notice tone="warning">{why}</Notice>
  return <Attempts client={client} grants={grants} issuer={service.data.issuer} publicUrl={service.data.publicUrl} />
}

/** A page cannot choose the certificate of its connection. */
const needsCertificate = ({ tokenEndpointAuthMethod: method, certificateBoundAccessTokens, requireDpop }: Client) =>
  usesCertificate(method) || (certificateBoundAccessTokens && !requireDpop)

interface AttemptsProps {
  client: Client
  grants: readonly Grant[]
  issuer: string
  publicUrl: string
}

function Attempts({ client, grants, issuer, publicUrl }: AttemptsProps) {
  const queries = useQueryClient()
  const [grant, setGrant] = useState(grants[0] as Grant)
  const [scope, setScope] = useState(() => defaultScope(client))
  // The wizard passes it on in memory; it is dropped when this page is left.
  const [created] = useState(() => credentialsOf(client.clientId))
  const [key, setKey] = useState(created.key)
  const [steps, setSteps] = useState<readonly Step[]>([])
  const [isBlocked, setBlocked] = useState(false)
  const [running, setRunning] = useState<AbortController>()
  const latest = useRef<AbortController>(undefined)
  useEffect(forgetCredentials, [])
  useEffect(() => () => latest.current?.abort(), [])

  const redirectUri = location.origin + tryPath
  const isSignIn = grant === 'authorization_code'
  const signsItself = client.tokenEndpointAuthMethod === 'private_key_jwt'
  const needsSecret = client.clientType === 'confidential' && !signsItself
  const needsKey = signsItself || (isSignIn && client.requireSignedRequestObject)
  const whyNot = useWhyNot()('PATCH /v1/admin/clients/{id}')
  const isRegistered = client.redirectUris.includes(redirectUri)
  const needsRegistration = isSignIn && !isRegistered
  const asking = steps.find(({ name, state }) => name === 'authorize' && state === 'running')
  const signInUrl = asking?.parameters && authorizeUrl(asking.parameters)

  const isFinished = running === undefined && steps.length > 0 && steps.every(({ state }) => state === 'done' || state === 'skipped')

  const start = async (form: FormData) => {
    const popup = isSignIn ? window.open('about:blank', `gatehouse-try-${client.id}`, 'popup,width=480,height=720') : null
    setBlocked(isSignIn && !popup)
    const controller = new AbortController()
    latest.current = controller
    setRunning(controller)
    setSteps([])
    try {
      await runAttempt({
        client,
        issuer,
        grant,
        scope: isSignIn ? scope.trim() : client.scopes.join(' '),
        publicUrl,
        secret: needsSecret ? (created.secret ?? String(form.get('secret') ?? '').trim()) : undefined,
        key: needsKey ? key : undefined,
        popup,
        signal: controller.signal,
        report: (step) => setSteps((former) => [...former.filter(({ name }) => name !== step.name), step]),
      })
    } finally {
      setRunning(undefined)
      await invalidate(queries, 'clients')
    }
  }
  return (
    <>
      <Panel title={t.title} description={t.description}>
        <Form onSubmit={({ currentTarget }) => void start(new FormData(currentTarget))}>
          {new URL(publicUrl).origin !== location.origin && <Notice tone="warning">{t.otherOrigin(location.origin, publicUrl)}</Notice>}
          {grants.length > 1 && (
            <Segmented
              label={t.what}
              value={grant}
              onValueChange={(chosen) => {
                setGrant(chosen)
                setSteps([])
              }}
              options={[
                { value: 'authorization_code', label: t.signIn },
                { value: 'client_credentials', label: t.service },
              ]}
            />
          )}
          {isSignIn && <TextField name="scope" label={t.scope} hint={t.scopeHint} mono value={scope} onValueChange={setScope} />}
          {needsSecret &&
            (created.secret ? (
              <p>{t.secretKnown}</p>
            ) : (
              <TextField name="secret" type="password" label={t.secret} hint={t.secretHint} required />
            ))}
          {needsKey && (
            <Suspense fallback={<ListSkeleton columns={1} rows={2} />}>
              <KeyField client={client} value={key} isCreated={key !== undefined && key === created.key} onValueChange={setKey} />
            </Suspense>
          )}
          {needsRegistration && <p>{whyNot ? t.cannotAdd(redirectUri) : t.adds(redirectUri)}</p>}
          {isBlocked && running && (
            <Notice tone="warning" role="status" actions={signInUrl && <BlockedLink href={signInUrl}>{t.openSignIn}</BlockedLink>}>
              {t.blocked}
            </Notice>
          )}
          <FormActions>
            <Button
              type="submit"
              variant="primary"
              icon={Play}
              busy={running !== undefined}
              disabledReason={(needsRegistration ? whyNot : undefined) ?? (needsKey && !key ? t.keyFirst : undefined)}
            >
              {steps.length > 0 && !running ? t.again : isSignIn ? t.start : t.startService}
            </Button>
            {running && (
              <Button icon={Square} onClick={() => running.abort()}>
                {t.stop}
              </Button>
            )}
          </FormActions>
        </Form>
      </Panel>
      {isFinished ? (
        <Notice tone="success" role="status" title={t.finished}>
          {t.finishedHint}{' '}
          <Link to="/applications/$id/{-$tab}" params={{ id: client.id }}>
            {t.toCode}
          </Link>
        </Notice>
      ) : (
        <p className="visually-hidden" role="status">
          {summaryOf(steps, running !== undefined)}
        </p>
      )}
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step.name}>
            <Suspense>
              <TryStep step={step} isSignIn={isSignIn} />
            </Suspense>
          </li>
        ))}
      </ol>
    </>
  )
}

function defaultScope({ grantTypes, scopes }: Client): string {
  return ['openid', 'profile', 'email', ...(grantTypes.includes('refresh_token') ? ['offline_access'] : []), ...scopes].join(' ')
}

function summaryOf(steps: readonly Step[], isRunning: boolean): string {
  const last = steps.find(({ state }) => state === 'failed' || state === 'stopped') ?? steps.at(-1)
  if (!last) return ''
  if (last.state === 'failed') return t.failed(t.steps[last.name])
  if (last.state === 'stopped') return t.stopped(t.steps[last.name])
  return isRunning ? t.progress(t.steps[last.name]) : ''
}
