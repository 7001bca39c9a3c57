import { useQueryClient } from '@tanstack/react-query'
import { CirclePause, KeyRound, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Connection } from '../../api/connections.ts'
import { invalidate } from '../../api/keys.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useLeave } from '../../parts/use-leave.ts'
import { connectionsTexts as t } from '../../texts/connections.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'

const hour = 3600

/** Actions on a whole connection, except its activation, which ends the set-up. */
export function ConnectionActions({ connection }: { connection: Connection }) {
  const may = useMayChange()
  const queries = useQueryClient()
  const leave = useLeave()
  const [question, setQuestion] = useState<'off' | 'rotate' | 'makeKey' | 'useKey' | 'remove'>()
  const { name, isActive, hasSecret, jwksUri, nextKeySignsFrom, provider } = connection
  const hasOwnKey = jwksUri !== null || provider === 'saml'
  const path = { id: connection.id }
  const readAgain = () => invalidate(queries, 'connections')
  const rotateKeys = async (activate: boolean) => {
    await answerOf(api.POST('/v1/admin/connections/{id}/rotate-keys', { params: { path }, body: { activate } }))
    await readAgain()
  }
  const asks = (what: typeof question) => ({ open: question === what, onOpenChange: () => setQuestion(undefined) })
  return (
    <>
      {isActive && may('PATCH /v1/admin/connections/{id}') && (
        <Button icon={CirclePause} onClick={() => setQuestion('off')}>
          {t.switchOff}
        </Button>
      )}
      {hasSecret && !hasOwnKey && provider !== 'apple' && may('POST /v1/admin/connections/{id}/rotate-secret') && (
        <Button icon={RefreshCw} onClick={() => setQuestion('rotate')}>
          {t.rotate}
        </Button>
      )}
      {hasOwnKey && may('POST /v1/admin/connections/{id}/rotate-keys') && (
        <Button icon={KeyRound} onClick={() => setQuestion(nextKeySignsFrom === null ? 'makeKey' : 'useKey')}>
          {nextKeySignsFrom === null ? t.makeKey : t.useKey}
        </Button>
      )}
      {may('DELETE /v1/admin/connections/{id}') && (
        <Button icon={Trash2} onClick={() => setQuestion('remove')}>
          {t.remove}
        </Button>
      )}
      <Confirm
        {...asks('off')}
        title={t.offQuestion(name)}
        action={t.switchOff}
        danger
        onConfirm={async (_, form) => {
          const body = { isActive: false, ...(form.has('endSessions') && { endSessions: true }) }
          await answerOf(api.PATCH('/v1/admin/connections/{id}', { params: { path }, body }))
          await readAgain()
        }}
      >
        <p>{t.offEffect}</p>
        <Switch name="endSessions" label={t.endSessions} />
      </Confirm>
      <Confirm
        {...asks('rotate')}
        title={t.rotateQuestion(name)}
        action={t.rotate}
        onConfirm={async (_, form) => {
          const body = { secret: String(form.get('secret')), gracePeriodSeconds: Number(form.get('grace')) }
          await answerOf(api.POST('/v1/admin/connections/{id}/rotate-secret', { params: { path }, body }))
          await readAgain()
        }}
      >
        <TextField name="secret" label={t.fields.secret} type="password" autoComplete="new-password" required mono />
        <Select
          name="grace"
          label={t.grace}
          defaultValue={String(24 * hour)}
          options={[0, 1, 24, 7 * 24].map((hours) => ({ value: String(hours * hour), label: t.graceOf(hours) }))}
        />
      </Confirm>
      <Confirm {...asks('makeKey')} title={t.makeKeyQuestion(name)} action={t.makeKey} onConfirm={() => rotateKeys(false)}>
        <p>{t.makeKeyEffect}</p>
      </Confirm>
      <Confirm {...asks('useKey')} title={t.useKeyQuestion(name)} action={t.useKey} onConfirm={() => rotateKeys(true)}>
        <p>{t.useKeyEffect}</p>
      </Confirm>
      <Confirm
        {...asks('remove')}
        title={t.removeQuestion(name)}
        action={t.removeName(name)}
        danger
        asksReason
        typeToConfirm={name}
        onConfirm={async (body) => {
          await answerOf(api.DELETE('/v1/admin/connections/{id}', { params: { path }, body }))
          await leave('/connections')
          queries.removeQueries({ queryKey: ['connections', connection.id] })
          await readAgain()
        }}
      >
        <p>{t.removeEffect}</p>
      </Confirm>
    </>
  )
}
