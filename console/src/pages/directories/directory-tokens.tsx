import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Directory } from '../../api/directories.ts'
import { invalidate } from '../../api/keys.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './directories.module.css'

const optionsOf = (labels: Readonly<Record<string, string>>) => Object.entries(labels).map(([value, label]) => ({ value, label }))

/** The tokens of a directory: one is created, and another ended. */
export function DirectoryTokens({ directory: { id, tokens } }: { directory: Directory }) {
  const queries = useQueryClient()
  const may = useMayChange()
  const [isAsking, setAsking] = useState(false)
  const [ending, setEnding] = useState<Directory['tokens'][number]>()
  // Only this page holds it, until it was stored.
  const [made, setMade] = useState<string>()
  const readAgain = () => invalidate(queries, 'directories')
  return (
    <Panel
      title={t.tokens}
      description={t.tokensDescription}
      actions={
        may('POST /v1/admin/directories/{id}/tokens') && (
          <Button icon={Plus} onClick={() => setAsking(true)}>
            {t.createToken}
          </Button>
        )
      }
    >
      {tokens.length === 0 && <p>{t.noToken}</p>}
      {tokens.map((token) => (
        <div key={token.id} className={styles.token}>
          <Facts
            items={[
              { term: t.token, value: <code>{token.prefix}…</code> },
              { term: t.lastUsed, value: token.lastUsedAt ? <Time at={token.lastUsedAt} /> : shellTexts.never },
              {
                term: token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now() ? t.expired : t.expires,
                value: token.expiresAt ? <Time at={token.expiresAt} /> : shellTexts.never,
              },
            ]}
          />
          {may('DELETE /v1/admin/directories/{id}/tokens/{tokenId}') && (
            <Button small aria-label={t.endTokenOf(token.prefix)} onClick={() => setEnding(token)}>
              {t.endToken}
            </Button>
          )}
        </div>
      ))}
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        title={t.tokenQuestion}
        action={t.createToken}
        onConfirm={async (_, form) => {
          const [lifetime, former] = [String(form.get('lifetime')), String(form.get('former') ?? 'stay')]
          const body = {
            expiresAt: lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * 86_400_000).toISOString(),
            ...(former !== 'stay' && { gracePeriodSeconds: Number(former) }),
          }
          const { token } = await answerOf(api.POST('/v1/admin/directories/{id}/tokens', { params: { path: { id } }, body }))
          setMade(token)
          await readAgain()
        }}
      >
        <p>{t.tokenEffect}</p>
        <Select name="lifetime" label={t.lifetime} defaultValue="365" options={optionsOf(t.lifetimes)} />
        {tokens.length > 0 && <Select name="former" label={t.former} defaultValue="stay" options={optionsOf(t.formers)} />}
      </Confirm>
      <SecretOnce title={t.tokenMade} description={t.tokenDescription} secret={made} onStored={() => setMade(undefined)} />
      <Confirm
        open={ending !== undefined}
        onOpenChange={() => setEnding(undefined)}
        title={t.endQuestion(ending?.prefix ?? '')}
        action={t.endTokenOf(ending?.prefix ?? '')}
        danger
        onConfirm={async () => {
          const path = { id, tokenId: ending?.id ?? '' }
          await answerOf(api.DELETE('/v1/admin/directories/{id}/tokens/{tokenId}', { params: { path } }))
          await readAgain()
        }}
      >
        <p>{t.endEffect}</p>
      </Confirm>
    </Panel>
  )
}
