import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AppWindow, Download, Globe, Server, ShieldCheck, Smartphone } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { useMay } from '../../api/profile.ts'
import type { components } from '../../api/schema.d.ts'
import { extensionsQuery } from '../../api/service.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { Refusal } from '../../parts/confirm.tsx'
import { filledLines, lineNames } from '../../parts/lines.ts'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { saveAs } from '../../parts/save-as.ts'
import { loadSecretOnce, SecretOnceLater } from '../../parts/secret-once-later.ts'
import { UriLines } from '../../parts/uri-lines.tsx'
import { useWhyNot } from '../../parts/use-change.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTyped } from '../../parts/use-typed.tsx'
import { applicationsTexts as t } from '../../texts/applications.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Link, LinkButton } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { passOn } from './created-secret.ts'
import type { MadeKey } from './make-key.ts'
import { type Kind, privateKeyFileOf, registrationOf } from './snippets/framework.ts'
import { frameworksOf, proposedRedirectUri } from './snippets/frameworks.ts'

const Connect = lazyNamed(() => import('./connect.tsx'), 'Connect')

type Created = components['schemas']['ClientWithSecret']

const operation = 'POST /v1/admin/clients'
const icons = { web: Server, browser: Globe, native: Smartphone, service: AppWindow, highAssurance: ShieldCheck }
const kinds = Object.keys(registrationOf) as Kind[]

/** The wizard, from the kind of application to the code that signs users in. */
export function NewApplication() {
  return (
    <Permitted to={operation}>
      <Wizard />
    </Permitted>
  )
}

function Wizard() {
  // Only this state holds the secret and the private key: no query, no address and no storage contains it.
  const [created, setCreated] = useState<ReadyProps>()
  const extensions = useQuery(extensionsQuery)
  if (created) return <Ready {...created} />
  const canAssure = extensions.data?.highAssurance === true && globalThis.crypto.subtle !== undefined
  return (
    <>
      <PageTitle>{t.newTitle}</PageTitle>
      <PageHead title={t.newTitle} description={t.newDescription} back={<Link to="/applications">{t.title}</Link>} />
      <Panel>
        {extensions.isPending ? (
          <ListSkeleton columns={1} rows={6} />
        ) : (
          <NewApplicationForm kinds={kinds.filter((kind) => kind !== 'highAssurance' || canAssure)} onCreated={setCreated} />
        )}
      </Panel>
    </>
  )
}

interface NewApplicationFormProps {
  /** Those that the service and the browser can register. */
  kinds: readonly Kind[]
  onCreated: (created: ReadyProps) => void
}

function NewApplicationForm({ kinds: offeredKinds, onCreated }: NewApplicationFormProps) {
  const queries = useQueryClient()
  const whyNot = useWhyNot()(operation)
  const [kind, setKind] = useState<Kind>('web')
  const offered = frameworksOf(kind)
  const [chosen, setChosen] = useState<string>()
  const framework = offered.find(({ id }) => id === chosen) ?? offered[0]
  /** Undefined while they are the framework's proposal. */
  const [typed, setTyped] = useState<string[]>()
  const uris = typed ?? [proposedRedirectUri(framework, location.origin)]
  const signsUsersIn = kind !== 'service'
  const leaving = useTyped(() => true, { onEveryPage: true })
  const submission = useSubmit({
    fields: ['name', ...lineNames('redirectUris', uris)],
    work: async (form) => {
      const redirectUris = filledLines(uris)
      // The lines are numbered as they are sent, so that a mistake is shown at its own line.
      if (typed) setTyped(redirectUris.length > 0 ? redirectUris : [''])
      const key = kind === 'highAssurance' ? await (await import('./make-key.ts')).makeKey() : undefined
      await loadSecretOnce()
      const client = await answerOf(
        api.POST('/v1/admin/clients', {
          body: {
            ...registrationOf[kind],
            grantTypes: [...registrationOf[kind].grantTypes],
            name: String(form.get('name')).trim(),
            ...(signsUsersIn && { redirectUris }),
            ...(key && { jwks: { keys: [key.publicKey] } }),
            ...(framework?.idTokenSignedResponseAlg && { idTokenSignedResponseAlg: framework.idTokenSignedResponseAlg }),
          },
        }),
      )
      onCreated({ client, framework: framework?.id ?? '', madeKey: key })
      if (key) await saveAs(key.file(), privateKeyFileOf(client))
      void invalidate(queries, 'clients')
    },
  })
  return (
    <Form errors={submission.errors} onSubmit={submission.onSubmit} onInput={leaving.note}>
      <RadioCards
        legend={t.whatDoYouBuild}
        name="kind"
        value={kind}
        onValueChange={(value) => setKind(value as Kind)}
        options={offeredKinds.map((value) => ({ value, label: t.kinds[value], hint: t.kindHints[value], icon: icons[value] }))}
      />
      <RadioCards
        compact
        legend={t.withWhat}
        name="framework"
        value={framework?.id}
        onValueChange={setChosen}
        options={offered.map(({ id, name }) => ({ value: id, label: name, hint: id.startsWith('curl') ? t.anyOther : undefined }))}
      />
      {framework?.idTokenSignedResponseAlg && <Notice tone="accent">{t.signedBy(framework.idTokenSignedResponseAlg)}</Notice>}
      <ApiTextField of={operation} name="name" label={t.name} hint={signsUsersIn ? t.nameHint : undefined} />
      {signsUsersIn && (
        <UriLines
          name="redirectUris"
          label={t.redirectUris}
          hint={t.redirectUrisHint}
          lineLabel={t.redirectUri}
          lines={uris}
          onLinesChange={setTyped}
          required
        />
      )}
      <Refusal of={submission} />
      <FormActions sticky>
        <LinkButton to="/applications">{shellTexts.cancel}</LinkButton>
        <Button type="submit" variant="primary" busy={submission.busy} disabledReason={whyNot}>
          {t.create}
        </Button>
      </FormActions>
      {leaving.question}
    </Form>
  )
}

interface ReadyProps {
  client: Created
  framework: string
  /** The key that was made for it in the browser. */
  madeKey: MadeKey | undefined
}

/** The created application: its secret once, or its private key, then its code with all values filled in. */
function Ready({ client, framework, madeKey: made }: ReadyProps) {
  const { clientSecret, ...record } = client
  const [isStored, setStored] = useState(clientSecret === null)
  const mayRead = useMay()('GET /v1/admin/clients/{id}')
  const secret = clientSecret ?? undefined
  useEffect(() => {
    scrollTo(0, 0)
  }, [])
  return (
    <>
      <PageTitle>{t.created(client.name)}</PageTitle>
      <PageHead
        title={t.created(client.name)}
        description={secret ? t.createdDescription : made ? t.createdWithKey : t.createdWithoutSecret}
        back={<Link to="/applications">{t.title}</Link>}
        actions={
          mayRead && (
            <>
              <LinkButton to="/applications/$id/{-$tab}" params={{ id: client.id }}>
                {t.toApplication}
              </LinkButton>
              <LinkButton
                variant="primary"
                to="/applications/$id/{-$tab}"
                params={{ id: client.id, tab: 'try' }}
                onClick={() => passOn({ clientId: client.clientId, secret, key: made?.signingKey })}
              >
                {t.tryIt}
              </LinkButton>
            </>
          )
        }
      />
      {made && (
        <Panel title={t.keyTitle} description={t.keyDescription}>
          <div>
            <Button icon={Download} onClick={() => void saveAs(made.file(), privateKeyFileOf(client))}>
              {t.saveKeyAgain}
            </Button>
          </div>
        </Panel>
      )}
      <Suspense fallback={<ListSkeleton columns={2} rows={4} />}>
        <Connect client={record} secret={secret} framework={framework} />
      </Suspense>
      <Suspense>
        <SecretOnceLater
          title={t.secretTitle}
          description={t.secretDescription}
          secret={isStored ? undefined : secret}
          onStored={() => setStored(true)}
        />
      </Suspense>
    </>
  )
}
