import { useQuery } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import type { components } from '../../api/schema.d.ts'
import { serviceQuery } from '../../api/service.ts'
import { randomText } from '../../base/base64url.ts'
import { Copyable, CopyButton } from '../../parts/copy.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { useCopy } from '../../parts/use-copy.ts'
import { applicationsTexts as t } from '../../texts/applications.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './applications.module.css'
import { copyOfAll } from './snippets/copy-all.ts'
import { type Framework, privateKeyFileOf } from './snippets/framework.ts'
import { frameworkFor, frameworksOf, hasCode, redirectUriFor, snippetsOf } from './snippets/frameworks.ts'
import { kindOf } from './snippets/registered.ts'

type Client = components['schemas']['Client']

interface ConnectProps {
  client: Client
  /** The secret, as long as the page that has created the application is open. */
  secret?: string
  /** The id of the framework that was chosen at the creation of the application. */
  framework?: string
}

/** The data that connects an application: its addresses, its credentials, and the code for its framework. */
export function Connect({ client, secret, framework }: ConnectProps) {
  const { data, error, refetch } = useQuery(serviceQuery)
  if (error && !data) return <ProblemPanel error={error} onRetry={() => void refetch()} />
  if (!data) return null
  return (
    <>
      <Addresses client={client} issuer={data.issuer} />
      <Code client={client} issuer={data.issuer} secret={secret} chosen={framework} />
    </>
  )
}

function Addresses({ client: { clientId, redirectUris }, issuer }: { client: Client; issuer: string }) {
  return (
    <Panel title={t.connectTitle}>
      <Facts
        items={[
          { term: t.issuer, value: <Copyable text={issuer} mono /> },
          { term: t.clientId, value: <Copyable text={clientId} mono /> },
          { term: t.discovery, value: <Copyable text={`${issuer}/.well-known/openid-configuration`} mono /> },
          ...(redirectUris.length > 0
            ? [
                {
                  term: t.redirectsTo,
                  value: (
                    <ul className={styles.uris}>
                      {redirectUris.map((uri) => (
                        <li key={uri}>
                          <Copyable text={uri} mono />
                        </li>
                      ))}
                    </ul>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Panel>
  )
}

interface CodeProps {
  client: Client
  issuer: string
  secret: string | undefined
  chosen: string | undefined
}

function Code({ client, issuer, secret, chosen }: CodeProps) {
  const offered = frameworksOf(kindOf(client))
  const [id, setId] = useState(chosen ?? frameworkFor(kindOf(client), client.redirectUris)?.id)
  // The application may protect its own sessions with it.
  const [sessionSecret] = useState(randomText)
  const framework = offered.find((one) => one.id === id) ?? offered[0]
  if (!framework) return null
  if (!hasCode(kindOf(client), client))
    return (
      <Panel title={t.codeTitle}>
        <p>{t.noCode}</p>
      </Panel>
    )
  const values = { issuer, clientId: client.clientId, redirectUri: redirectUriFor(framework, client.redirectUris) }
  const snippets = snippetsOf(framework, values)
  const environment = framework.environment?.({ clientSecret: secret ?? `"${t.secretPlaceholder}"`, sessionSecret })
  return (
    <Panel title={t.codeTitle} actions={<CopyAll text={copyOfAll(snippets, environment)} />}>
      <div className={styles.files}>
        <Select
          label={t.framework}
          options={offered.map(({ id: value, name }) => ({ value, label: name }))}
          value={framework.id}
          onValueChange={setId}
        />
        <AlgorithmNotice client={client} framework={framework} />
        {framework.hasKeyFile && <Notice tone="neutral">{t.keyFile(privateKeyFileOf(client))}</Notice>}
        {environment && (
          <>
            {secret === undefined && (
              <Notice tone="neutral" actions={<ToSettings id={client.id} />}>
                {t.secretMissing}
              </Notice>
            )}
            <File name={t.environment} code={environment} />
          </>
        )}
        {snippets.map(({ file, code }) => (
          <File key={file} name={file} code={code} />
        ))}
      </div>
    </Panel>
  )
}

function File({ name, code }: { name: string; code: string }) {
  return (
    <div className={styles.file}>
      <h3>{name}</h3>
      <CodeBlock code={code} label={name} copyButton={<CopyButton text={code} />} />
    </div>
  )
}

function AlgorithmNotice({ client, framework: { name, idTokenSignedResponseAlg } }: { client: Client; framework: Framework }) {
  if (!idTokenSignedResponseAlg || client.idTokenSignedResponseAlg === idTokenSignedResponseAlg) return null
  return (
    <Notice tone="warning" actions={<ToSettings id={client.id} />}>
      {t.needsAlgorithm(name, idTokenSignedResponseAlg)}
    </Notice>
  )
}

const ToSettings = ({ id }: { id: string }) => (
  <Link to="/applications/$id/{-$tab}" params={{ id, tab: 'settings' }}>
    {t.toSettings}
  </Link>
)

function CopyAll({ text }: { text: string }) {
  const { copied, copy } = useCopy()
  return (
    <Button icon={copied ? Check : Copy} onClick={() => void copy(text)}>
      {copied ? t.copiedAll : t.copyAll}
    </Button>
  )
}
