import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, RotateCw, Wrench } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { answerOf, api, conditionOf } from '../api/client.ts'
import { type Client, changeClient, type Diagnostic } from '../api/clients.ts'
import { invalidate } from '../api/keys.ts'
import type { OperationName } from '../api/operations.ts'
import type { OrganisationWithTag } from '../api/organisation-record.ts'
import { Problem } from '../api/problem.ts'
import { randomText } from '../base/base64url.ts'
import { lazyNamed } from '../base/lazy-named.ts'
import { refusalsTexts as t } from '../texts/refusals.ts'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Link } from '../ui/link.tsx'
import { Notice } from '../ui/notice.tsx'
import { Panel } from '../ui/panel.tsx'
import { Confirm } from './confirm.tsx'
import { CopyButton } from './copy.tsx'
import { newDestinations } from './destinations.ts'
import { NewHost } from './new-host.tsx'
import { type Fix, remedyOf, requestAgain, type Snippet } from './refusal-fix.ts'
import styles from './refusal-report.module.css'
import { useWhyNot } from './use-change.ts'

const RefusedMethod = lazyNamed(() => import('./refused-method.tsx'), 'RefusedMethod')

interface RefusalRemedyProps {
  refusal: Diagnostic
  client: { body: Client; tag: string | undefined } | undefined
  organisation: OrganisationWithTag | undefined
}

/** The change that makes the request succeed: here by one button if possible, else in the application. */
export function RefusalRemedy({ refusal, client, organisation }: RefusalRemedyProps) {
  const { fix, snippet, tab } = remedyOf(refusal, client?.body, organisation?.body)
  // The challenge has no known verifier: no client can redeem a code for it.
  const again = useMemo(() => requestAgain(refusal, location.origin, randomText()), [refusal])
  return (
    <Panel title={t.remedy}>
      <div className={styles.steps}>
        {fix?.kind === 'done' ? (
          <Notice tone="success" title={t.fixed} role="status">
            {t.fixedDescription}
          </Notice>
        ) : snippet === 'key' || snippet === 'certificate' ? (
          <Suspense>
            <RefusedMethod method={snippet} />
          </Suspense>
        ) : (
          <p>{fix?.kind === 'organisation' ? outside[fix.field] : adviceOf(refusal)}</p>
        )}
        {fix && fix.kind !== 'done' && client && <ApplyFix fix={fix} client={client} tagOfOrganisation={organisation?.tag} />}
        {snippet && snippet !== 'key' && snippet !== 'certificate' && <SnippetOf snippet={snippet} />}
        {again && (
          <>
            <Button
              icon={RotateCw}
              variant={fix?.kind === 'done' ? 'primary' : 'plain'}
              onClick={() => window.open(again, '_blank', 'noopener')}
            >
              {t.tryAgain}
            </Button>
            <p className={styles.hint}>{t.tryAgainHint}</p>
          </>
        )}
        {client && (
          <Link to="/applications/$id/{-$tab}" params={{ id: client.body.id, tab }}>
            {tab === 'security' ? t.toSecurity : t.toSettings}
          </Link>
        )}
        {refusal.clientId !== null && !client && <p>{t.notFixable}</p>}
      </div>
    </Panel>
  )
}

const outside = { allowedCallbackUrls: t.outsideCallback, allowedLogoutUrls: t.outsideLogout }

function adviceOf({ endpoint, check }: Diagnostic): string {
  const key = [`${endpoint}.${check}`, check].find((name) => Object.hasOwn(t.advice, name)) ?? 'other'
  return t.advice[key as keyof typeof t.advice]
}

type Applicable = Exclude<Fix, { kind: 'done' }>

const operations: Record<Applicable['kind'], OperationName> = {
  client: 'PATCH /v1/admin/clients/{id}',
  organisation: 'PATCH /v1/admin/organisation',
  activate: 'POST /v1/admin/clients/{id}/activate',
}

interface ApplyFixProps {
  fix: Applicable
  client: NonNullable<RefusalRemedyProps['client']>
  tagOfOrganisation: string | undefined
}

function ApplyFix({ fix, client: { body: client, tag }, tagOfOrganisation }: ApplyFixProps) {
  const [isOpen, setOpen] = useState(false)
  const queries = useQueryClient()
  const operation = operations[fix.kind]
  const whyNot = useWhyNot()(operation)
  const readAgain = () => Promise.all([invalidate(queries, 'clients'), invalidate(queries, 'organisation')])
  const apply = async () => {
    try {
      await send(fix, client.id, fix.kind === 'organisation' ? tagOfOrganisation : tag)
    } catch (error) {
      // Another user has changed the record: the next attempt adds to their changes.
      if (error instanceof Problem && error.status === 412) await readAgain()
      throw error
    }
    await readAgain()
  }
  const [newHost] = isAddress(fix) ? newDestinations([fix.value], client[addressFieldOf(fix)]) : []
  const call = operation.replace('{id}', client.id)
  const request = 'body' in fix ? `${call}\n${JSON.stringify(fix.body, null, 2)}` : call
  return (
    <>
      {newHost && <Notice tone="warning">{t.foreignHost(newHost, client.name)}</Notice>}
      <Button
        variant={newHost ? 'plain' : 'primary'}
        icon={fix.kind === 'activate' ? CircleCheck : Wrench}
        disabledReason={whyNot}
        onClick={() => setOpen(true)}
      >
        {labelOf(fix)}
      </Button>
      <Confirm
        open={isOpen}
        onOpenChange={setOpen}
        title={fix.kind === 'organisation' ? t.fixOrganisationQuestion : t.fixQuestion(client.name)}
        action={t.apply}
        danger={newHost !== undefined}
        typeToConfirm={newHost}
        onConfirm={apply}
      >
        {newHost && isAddress(fix) && <NewHost host={newHost} field={addressFieldOf(fix)} application={client.name} />}
        {fix.kind === 'activate' && <p>{t.whatActivating}</p>}
        <p>{t.sends}</p>
        <CodeBlock code={request} label={t.sends} wrap />
      </Confirm>
    </>
  )
}

function send(fix: Applicable, id: string, tag: string | undefined): Promise<unknown> {
  if (fix.kind === 'client') return changeClient(id, fix.body, tag)
  if (fix.kind === 'organisation')
    return answerOf(api.PATCH('/v1/admin/organisation', { params: { header: conditionOf(tag) }, body: fix.body }))
  return answerOf(api.POST('/v1/admin/clients/{id}/activate', { params: { path: { id } } }))
}

type AddressFix = Applicable & { kind: 'client' | 'organisation' }

const addressFields = {
  redirectUris: 'redirectUris',
  postLogoutRedirectUris: 'postLogoutRedirectUris',
  allowedCallbackUrls: 'redirectUris',
  allowedLogoutUrls: 'postLogoutRedirectUris',
} as const

const isAddress = (fix: Applicable): fix is AddressFix => fix.kind !== 'activate' && fix.field in addressFields

/** The field of the application that contains the address. */
const addressFieldOf = ({ field }: AddressFix) => addressFields[field as keyof typeof addressFields]

function labelOf(fix: Applicable): string {
  if (fix.kind === 'activate') return t.fixes.activate
  const label = t.fixes[fix.field as keyof typeof t.fixes]
  return typeof label === 'function' ? label(fix.value) : label
}

const code: Record<Exclude<Snippet, 'key' | 'certificate'>, string> = {
  s256: `const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
const challenge = base64url(new Uint8Array(digest))
// authorization request: code_challenge=<challenge>&code_challenge_method=S256
// token request:         code_verifier=<verifier>

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}`,
  basic: 'Authorization: Basic base64(urlencode(client_id) + ":" + urlencode(client_secret))',
  public: 'grant_type=authorization_code&client_id=<client_id>&code=<code>&redirect_uri=<redirect_uri>&code_verifier=<code_verifier>',
}

function SnippetOf({ snippet }: { snippet: keyof typeof code }) {
  return (
    <CodeBlock
      code={code[snippet]}
      label={t.snippets[snippet]}
      wrap={snippet !== 's256'}
      copyButton={<CopyButton text={code[snippet]} />}
    />
  )
}
