import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CirclePlay, RefreshCw, Send } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, conditionOf } from '../../api/client.ts'
import type { Connection } from '../../api/connections.ts'
import { domainsQuery } from '../../api/domains.ts'
import { invalidate } from '../../api/keys.ts'
import { useMay } from '../../api/profile.ts'
import { Refusal } from '../../parts/confirm.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { formatList, formatNumber } from '../../parts/format.ts'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useAction, useSubmit } from '../../parts/use-submit.ts'
import { useTrustQuestion } from '../../parts/use-trust-question.tsx'
import { connectionsTexts as t } from '../../texts/connections.ts'
import { questionsTexts } from '../../texts/questions.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { ExternalLink, Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { labelOf, missingOf } from './connection-edits.ts'
import styles from './connections.module.css'

const startUrlOf = ({ callbackUrl, acsUrl }: Connection) =>
  callbackUrl?.replace(/callback$/, 'start') ?? (acsUrl ?? '').replace(/saml\/([^/]+)\/acs$/, 'federation/$1/start')

/** Whether there is anything to read of the provider. */
const hasDocuments = ({ provider, configuration }: Connection) =>
  provider !== 'github' && (provider !== 'saml' || Boolean(configuration.metadataUrl))

/** How users sign in by a connection: the steps that are missing, or the links for a working one. */
export function ConnectionSignIn({ connection, tag }: { connection: Connection; tag: string | undefined }) {
  const { id, provider, isActive, linking, provisioning, lastUsedAt, jwksUri, nextKeySignsFrom, previousSecretExpiresAt } = connection
  const hasOwnKey = provider === 'saml' || jwksUri !== null
  const may = useMay()
  const mayChange = useMayChange()
  const queries = useQueryClient()
  const mayReadDomains = may('GET /v1/admin/domains')
  const { data } = useQuery({ ...domainsQuery, enabled: mayReadDomains })
  const domains = data?.data.filter(({ connectionId }) => connectionId === id) ?? []
  const missing = missingOf(connection).map((member) => labelOf(connection, member))
  const { askAboutTrust, question } = useTrustQuestion()
  const switchOn = useAction(async () => {
    const { roleMappings, trustsMfa } = connection
    const isWanted = await askAboutTrust({
      of: 'connection',
      name: connection.name,
      title: questionsTexts.switchOnQuestion(connection.name),
      decided: (
        <Facts
          items={[
            { term: t.fields.linking, value: t.choices.linking[linking ?? ''] },
            { term: t.fields.provisioning, value: t.choices.provisioning[provisioning] },
            { term: t.fields.roleMappings, value: formatNumber(roleMappings.length) },
            { term: t.fields.trustsMfa, value: trustsMfa ? shellTexts.yes : shellTexts.no },
          ]}
        />
      ),
      action: t.switchOn,
    })
    if (!isWanted) return
    try {
      // What was confirmed is what is switched on.
      const params = { path: { id }, header: conditionOf(tag) }
      await answerOf(api.PATCH('/v1/admin/connections/{id}', { params, body: { isActive: true } }))
    } finally {
      await invalidate(queries, 'connections')
    }
    // The button disappears.
    document.querySelector('main')?.focus({ preventScroll: true })
  })
  const [blocked, setBlocked] = useState<string>()
  const test = useAction(async () => {
    // Browsers allow a new window only during the click.
    const tab = window.open('about:blank')
    try {
      const { url } = await answerOf(api.POST('/v1/admin/connections/{id}/test', { params: { path: { id } } }))
      if (tab) tab.location.href = url
      else setBlocked(url)
    } catch (error) {
      tab?.close()
      throw error
    }
  })
  const whyNot = missing.length > 0 ? t.missing(formatList(missing)) : undefined
  const [isReadable, setReadable] = useState(false)
  const check = useSubmit({
    fields: ['configuration.issuer', 'configuration.tenant', 'configuration.metadataUrl', 'provider'],
    work: async () => {
      setReadable(false)
      await answerOf(api.POST('/v1/admin/connections/{id}/refresh', { params: { path: { id } } }))
      setReadable(true)
    },
  })
  return (
    <Panel
      title={isActive ? t.signIn : `3. ${t.switchOn}`}
      description={whyNot ?? (isActive ? t.offered : t.ready)}
      actions={
        <>
          {hasDocuments(connection) && mayChange('POST /v1/admin/connections/{id}/refresh') && (
            <Button icon={RefreshCw} busy={check.busy} onClick={() => void check.run()}>
              {t.check}
            </Button>
          )}
          {may('POST /v1/admin/connections/{id}/test') && (
            <Button icon={Send} busy={test.busy} disabledReason={whyNot} onClick={() => void test.run()}>
              {t.test}
            </Button>
          )}
          {!isActive && mayChange('PATCH /v1/admin/connections/{id}') && (
            <Button variant="primary" icon={CirclePlay} busy={switchOn.busy} disabledReason={whyNot} onClick={() => void switchOn.run()}>
              {t.switchOn}
            </Button>
          )}
        </>
      }
    >
      <div role="status" className={styles.outcome}>
        {isReadable && <Notice tone="success">{t.readable}</Notice>}
        {Object.values(check.errors).map((error) => (
          <Notice key={error} tone="danger">
            {error}
          </Notice>
        ))}
        <Refusal of={check} />
        {blocked && <ExternalLink href={blocked}>{t.openTest}</ExternalLink>}
      </div>
      <Facts
        items={[
          ...(isActive ? [{ term: t.beginsAt, value: <Copyable text={startUrlOf(connection)} mono /> }] : []),
          { term: t.fields.linking, value: t.choices.linking[linking ?? ''] },
          { term: t.fields.provisioning, value: t.choices.provisioning[provisioning] },
          ...(mayReadDomains
            ? [
                {
                  term: shellTexts.domains,
                  value:
                    domains.length === 0
                      ? shellTexts.none
                      : domains.map(({ id, domain }) => (
                          <div key={id}>
                            <Link to="/domains/$id" params={{ id }}>
                              {domain}
                            </Link>
                          </div>
                        )),
                },
              ]
            : []),
          ...(isActive ? [{ term: t.lastUsed, value: lastUsedAt ? <Time at={lastUsedAt} /> : shellTexts.never }] : []),
          ...(nextKeySignsFrom ? [{ term: t.nextKey, value: <Time at={nextKeySignsFrom} /> }] : []),
          ...(previousSecretExpiresAt
            ? [{ term: hasOwnKey ? t.formerKey : t.formerSecret, value: <Time at={previousSecretExpiresAt} /> }]
            : []),
        ]}
      />
      <div className={styles.links}>
        <Link to="/connections/$id/{-$tab}" params={{ id, tab: 'accounts' }}>
          {t.whoMay}
        </Link>
        {isActive && may('GET /v1/admin/diagnostics') && (
          <Link to="/diagnostics" search={{ connectionId: id }}>
            {t.refusals}
          </Link>
        )}
        {isActive && <ExternalLink href="/account/identities?returnTo=/console">{t.linkOwn}</ExternalLink>}
      </div>
      {question}
    </Panel>
  )
}
