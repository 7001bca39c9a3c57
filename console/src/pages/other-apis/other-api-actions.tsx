import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CirclePause, CirclePlay, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { AuthorizationServer } from '../../api/authorization-servers.ts'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useAction } from '../../parts/use-submit.ts'
import { otherApisTexts as t } from '../../texts/other-apis.ts'
import { Button } from '../../ui/button.tsx'

/** Actions on a whole entry. */
export function OtherApiActions({ server: { id, name, isActive } }: { server: AuthorizationServer }) {
  const may = useMayChange()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [question, setQuestion] = useState<'off' | 'remove'>()
  const path = { id }
  const readAgain = () => invalidate(queries, 'resource-authorization-servers')
  const setActive = async (active: boolean) => {
    await answerOf(api.PATCH('/v1/admin/resource-authorization-servers/{id}', { params: { path }, body: { isActive: active } }))
    await readAgain()
  }
  const switchOn = useAction(() => setActive(true))
  const asks = (what: typeof question) => ({ open: question === what, onOpenChange: () => setQuestion(undefined) })
  return (
    <>
      {may('PATCH /v1/admin/resource-authorization-servers/{id}') &&
        (isActive ? (
          <Button icon={CirclePause} onClick={() => setQuestion('off')}>
            {t.switchOff}
          </Button>
        ) : (
          <Button icon={CirclePlay} busy={switchOn.busy} onClick={() => void switchOn.run()}>
            {t.switchOn}
          </Button>
        ))}
      {may('DELETE /v1/admin/resource-authorization-servers/{id}') && (
        <Button icon={Trash2} onClick={() => setQuestion('remove')}>
          {t.remove}
        </Button>
      )}
      <Confirm {...asks('off')} title={t.offQuestion(name)} action={t.switchOff} danger onConfirm={() => setActive(false)}>
        <p>{t.offEffect}</p>
      </Confirm>
      <Confirm
        {...asks('remove')}
        title={t.removeQuestion(name)}
        action={t.removeName(name)}
        danger
        asksReason
        typeToConfirm={name}
        onConfirm={async (body) => {
          await answerOf(api.DELETE('/v1/admin/resource-authorization-servers/{id}', { params: { path }, body }))
          await navigate({ to: '/other-apis', ignoreBlocker: true })
          queries.removeQueries({ queryKey: ['resource-authorization-servers', id] })
          await readAgain()
        }}
      >
        <p>{t.removeEffect}</p>
      </Confirm>
    </>
  )
}
