import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Client } from '../../api/clients.ts'
import { Problem } from '../../api/problem.ts'
import { useMay, useProfile } from '../../api/profile.ts'
import { type ClaimMapping, linesOf } from '../../parts/claim-rows.ts'
import styles from '../../parts/claims.module.css'
import { describeProblem, loadChangeRefusals } from '../../parts/describe-problem.ts'
import type { PickedItem } from '../../parts/picker-searches.ts'
import { Picker } from '../../parts/pickers.tsx'
import { claimsTexts as t } from '../../texts/claims.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { FormRow } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TextField } from '../../ui/text-field.tsx'

await loadChangeRefusals()

const documents = [
  ['idToken', 'id_token'],
  ['accessToken', 'access_token'],
  ['userInfo', 'userinfo'],
  ['introspection', 'introspection'],
] as const
const pauseMilliseconds = 300
const signs = { same: '  ', added: '+ ', removed: '− ' }

/** The four documents as they would be for a user, with the differences that unsaved mappings make. */
export function ClaimsPreview({ client, mappings }: { client: Client; mappings: ClaimMapping[] }) {
  const mayPreview = useMay()('POST /v1/admin/clients/{id}/claims/preview')
  return (
    <Panel title={t.preview} description={t.previewDescription}>
      {mayPreview ? <Documents client={client} mappings={mappings} /> : <Notice tone="neutral">{t.needsUsers}</Notice>}
    </Panel>
  )
}

function Documents({ client, mappings }: { client: Client; mappings: ClaimMapping[] }) {
  const { id, name, email } = useProfile()
  const [users, setUsers] = useState<PickedItem[]>([{ value: id, label: name, hint: email }])
  const [typedScope, setScope] = useState('openid profile email')
  const scope = useSettled(typedScope)
  const userId = users.at(-1)?.value
  const stored = usePreview(client, userId, scope, client.claimMappings as ClaimMapping[])
  const tried = usePreview(client, userId, scope, useSettled(mappings))
  return (
    <>
      <FormRow>
        <Picker of="users" label={t.user} value={users} onValueChange={(items) => setUsers(items.slice(-1))} />
        <TextField label={t.scopes} mono value={typedScope} onValueChange={setScope} />
      </FormRow>
      <div aria-live="polite">{tried.error instanceof Problem && <Notice tone="warning">{describeProblem(tried.error).text}</Notice>}</div>
      {tried.data && (
        <div className={styles.documents}>
          {documents.map(([name, target]) => (
            <section key={name}>
              <h3>{t.targets[target]}</h3>
              <Document label={t.targets[target]} before={stored.data?.[name] ?? tried.data?.[name]} after={tried.data?.[name]} />
            </section>
          ))}
        </div>
      )}
    </>
  )
}

function Document(props: { label: string; before: object | null | undefined; after: object | null | undefined }) {
  const { label, before, after } = props
  if (!after) return <p>{t.noDocument}</p>
  const lines = linesOf((before ?? {}) as Record<string, unknown>, after as Record<string, unknown>)
  return (
    <CodeBlock label={label} code={JSON.stringify(after, null, 2)} wrap>
      {lines.map(({ mark, text }) => (
        <span key={mark + text} className={mark === 'same' ? undefined : styles[mark]}>
          {`${signs[mark]}${text}\n`}
        </span>
      ))}
    </CodeBlock>
  )
}

function usePreview(client: Client, userId: string | undefined, scope: string, claimMappings: ClaimMapping[]) {
  const body = {
    userId: userId ?? '',
    claimMappings,
    ...(scope.trim() !== '' && { scope }),
    ...(client.defaultResource && { resource: client.defaultResource }),
  }
  return useQuery({
    queryKey: ['clients', client.id, 'claims-preview', JSON.stringify(body)],
    queryFn: ({ signal }) =>
      answerOf(api.POST('/v1/admin/clients/{id}/claims/preview', { params: { path: { id: client.id } }, body, signal })),
    enabled: userId !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** The value once it has not changed for a moment. */
function useSettled<Value>(value: Value): Value {
  const key = JSON.stringify(value)
  const [settled, setSettled] = useState(key)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), pauseMilliseconds)
    return () => clearTimeout(timer)
  }, [key])
  return JSON.parse(settled)
}
