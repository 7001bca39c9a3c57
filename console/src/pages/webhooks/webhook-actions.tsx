import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CirclePause, CirclePlay, Ellipsis, History, RefreshCw, Send, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { hostOf, type Webhook } from '../../api/webhooks.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { formatNumber } from '../../parts/format.ts'
import { OnDemand } from '../../parts/on-demand.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useLeave } from '../../parts/use-leave.ts'
import { useAction } from '../../parts/use-submit.ts'
import { shellTexts } from '../../texts/shell.ts'
import { webhooksTexts as t } from '../../texts/webhooks.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuAction } from '../../ui/menu-items.ts'
import { useToast } from '../../ui/toast.tsx'

const RotateSecret = lazyNamed(() => import('./rotate-secret.tsx'), 'RotateSecret')
const ReplayRange = lazyNamed(() => import('./replay-range.tsx'), 'ReplayRange')
const Confirm = lazyNamed(() => import('../../parts/confirm.tsx'), 'Confirm')

const undoMilliseconds = 8000

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const may = useMayChange()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leave = useLeave()
  const toast = useToast()
  const [question, setQuestion] = useState<'rotate' | 'replay' | 'delete'>()
  const path = { id: webhook.id }
  const host = hostOf(webhook.url)
  const { delivered, failed } = webhook.last24Hours
  const close = () => setQuestion(undefined)

  const sendTest = useAction(async () => {
    const { deliveryId } = await answerOf(api.POST('/v1/admin/webhooks/{id}/test', { params: { path } }))
    await navigate({ to: '/webhooks/$id/deliveries/$deliveryId', params: { id: webhook.id, deliveryId } })
  })
  const setActive = async (isActive: boolean) => {
    await answerOf(api.PATCH('/v1/admin/webhooks/{id}', { params: { path }, body: { isActive } }))
    await invalidate(queries, 'webhooks')
  }
  const undo = useAction(setActive)
  const activate = useAction(async (isActive: boolean) => {
    await setActive(isActive)
    toast.show({
      title: isActive ? t.activated(host) : t.deactivatedNow(host),
      tone: 'success',
      action: { label: shellTexts.undo, onSelect: () => void undo.run(!isActive) },
      timeoutMilliseconds: undoMilliseconds,
    })
  })

  const mayUpdate = may('PATCH /v1/admin/webhooks/{id}')
  const items: (MenuAction | 'separator')[] = [
    ...(mayUpdate
      ? [
          {
            label: t.replayMany,
            icon: History,
            disabledReason: webhook.isActive ? undefined : t.replayNeedsActive,
            onSelect: () => setQuestion('replay'),
          },
          { label: t.rotate, icon: RefreshCw, onSelect: () => setQuestion('rotate') },
        ]
      : []),
    ...(may('DELETE /v1/admin/webhooks/{id}')
      ? ['separator' as const, { label: t.delete, icon: Trash2, danger: true, onSelect: () => setQuestion('delete') }]
      : []),
  ]

  return (
    <>
      {mayUpdate && (
        <Button
          icon={webhook.isActive ? CirclePause : CirclePlay}
          busy={activate.busy}
          onClick={() => void activate.run(!webhook.isActive)}
        >
          {webhook.isActive ? t.deactivate : t.activate}
        </Button>
      )}
      {may('POST /v1/admin/webhooks/{id}/test') && (
        <Button variant="primary" icon={Send} busy={sendTest.busy} onClick={() => void sendTest.run()}>
          {t.sendTest}
        </Button>
      )}
      {items.length > 0 && (
        <Menu label={t.actions} trigger={<IconButton label={t.actions} icon={Ellipsis} variant="plain" />} items={items} />
      )}
      <OnDemand open={question === 'rotate'}>
        <RotateSecret webhook={webhook} open={question === 'rotate'} onClose={close} />
      </OnDemand>
      {question === 'replay' && (
        <Suspense>
          <ReplayRange webhook={webhook} onClose={close} />
        </Suspense>
      )}
      <OnDemand open={question === 'delete'}>
        <Confirm
          open={question === 'delete'}
          onOpenChange={close}
          title={t.deleteQuestion(host)}
          action={t.deleteName(host)}
          danger
          asksReason
          onConfirm={async ({ reason }) => {
            await answerOf(api.DELETE('/v1/admin/webhooks/{id}', { params: { path }, ...(reason && { body: { reason } }) }))
            await leave('/webhooks')
            queries.removeQueries({ queryKey: ['webhooks', webhook.id] })
            await invalidate(queries, 'webhooks')
          }}
        >
          <p>{t.deleteEffect(formatNumber(delivered + failed))}</p>
        </Confirm>
      </OnDemand>
    </>
  )
}
