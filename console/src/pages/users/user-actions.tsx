import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ban, CircleCheck, Ellipsis, LockOpen, LogIn, LogOut, Mail, ShieldOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { useOrganisation } from '../../api/organisation.ts'
import { useMay, useProfile } from '../../api/profile.ts'
import { type UserDetails, userImpactQuery } from '../../api/users.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useLeave } from '../../parts/use-leave.ts'
import { useAction } from '../../parts/use-submit.ts'
import { shellTexts } from '../../texts/shell.ts'
import { usersTexts as t } from '../../texts/users.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuAction } from '../../ui/menu-items.ts'
import { useToast } from '../../ui/toast.tsx'

type Question = 'block' | 'delete' | 'mfa' | 'sessions'

const undoMilliseconds = 8000

export function UserActions({ user }: { user: UserDetails }) {
  const may = useMayChange()
  const mayLook = useMay()
  const me = useProfile()
  const ownerId = useOrganisation()?.ownerId
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leave = useLeave()
  const toast = useToast()
  const [question, setQuestion] = useState<Question>()
  const path = { id: user.id }
  const change = async <Changed,>(work: Promise<Changed>) => {
    const changed = await work
    await invalidate(queries, 'users')
    return changed
  }
  const patch = (body: object) => change(answerOf(api.PATCH('/v1/admin/users/{id}', { params: { path }, body })))
  const unblock = useAction(async () => {
    const { blockedAt, blockedReason } = await patch({ blockedAt: null })
    if (blockedAt !== null) return toast.show({ title: t.staysBlocked(blockedReason) })
    const undo = () => void block.run({ reason: user.blockedReason ?? undefined })
    toast.show({
      title: t.unblocked(user.name),
      tone: 'success',
      action: { label: shellTexts.undo, onSelect: undo },
      timeoutMilliseconds: undoMilliseconds,
    })
  })
  const block = useAction(({ reason }: { reason: string | undefined }) =>
    patch({ blockedAt: new Date().toISOString(), ...(reason && { blockedReason: reason }) }),
  )
  const sendLink = useAction(() => answerOf(api.POST('/v1/admin/users/{id}/password-reset', { params: { path } })), {
    done: t.linkSent(user.email),
  })
  const unlock = useAction(() => change(answerOf(api.DELETE('/v1/admin/users/{id}/lock', { params: { path } }))), {
    done: t.unlocked(user.name),
  })
  const mayUpdate = may('PATCH /v1/admin/users/{id}')
  const isOwner = user.id === ownerId
  const isMe = user.id === me.id
  const whyNotOthers = isOwner ? t.isOwner : isMe ? t.isYou : undefined

  const items: (MenuAction | 'separator')[] = [
    ...(mayLook('POST /v1/admin/sign-in-checks')
      ? [
          {
            label: t.whyNoSignIn,
            icon: LogIn,
            onSelect: () => void navigate({ to: '/sign-in-check', search: { email: user.email } }),
          },
        ]
      : []),
    ...(may('POST /v1/admin/users/{id}/password-reset')
      ? [{ label: t.sendPasswordLink, icon: Mail, onSelect: () => void sendLink.run() }]
      : []),
    ...(mayUpdate && user.lockedUntil ? [{ label: t.unlock, icon: LockOpen, onSelect: () => void unlock.run() }] : []),
    ...(may('DELETE /v1/admin/users/{id}/sessions')
      ? [{ label: t.endSessions, icon: LogOut, onSelect: () => setQuestion('sessions') }]
      : []),
    ...(mayUpdate && user.mfaEnabled
      ? [
          {
            label: t.removeSecondFactor,
            icon: ShieldOff,
            disabledReason: isOwner && !isMe ? t.ownersOwnFactor : undefined,
            onSelect: () => setQuestion('mfa'),
          },
        ]
      : []),
    ...(may('DELETE /v1/admin/users/{id}')
      ? [
          'separator' as const,
          { label: t.delete, icon: Trash2, danger: true, disabledReason: whyNotOthers, onSelect: () => setQuestion('delete') },
        ]
      : []),
  ]

  return (
    <>
      {mayUpdate &&
        (user.blockedAt ? (
          <Button icon={CircleCheck} busy={unblock.busy} onClick={() => void unblock.run()}>
            {t.unblock}
          </Button>
        ) : (
          <Button icon={Ban} disabledReason={whyNotOthers} onClick={() => setQuestion('block')}>
            {t.block}
          </Button>
        ))}
      {items.length > 0 && (
        <Menu label={t.actions} trigger={<IconButton label={t.actions} icon={Ellipsis} variant="plain" />} items={items} />
      )}
      <Confirm
        open={question === 'block'}
        onOpenChange={() => setQuestion(undefined)}
        title={t.blockQuestion(user.name)}
        action={t.blockName(user.name)}
        danger
        asksReason
        onConfirm={({ reason }) => patch({ blockedAt: new Date().toISOString(), ...(reason && { blockedReason: reason }) })}
      >
        {question === 'block' && <BlockingEffect user={user} />}
      </Confirm>
      <Confirm
        open={question === 'sessions'}
        onOpenChange={() => setQuestion(undefined)}
        title={t.endSessionsQuestion(user.name)}
        action={t.endSessions}
        danger
        onConfirm={() => change(answerOf(api.DELETE('/v1/admin/users/{id}/sessions', { params: { path } })))}
      >
        {question === 'sessions' && <SessionsEffect user={user} />}
        <p>{t.endSessionsEffect}</p>
      </Confirm>
      <Confirm
        open={question === 'mfa'}
        onOpenChange={() => setQuestion(undefined)}
        title={t.removeSecondFactorQuestion(user.name)}
        action={t.removeSecondFactor}
        danger
        onConfirm={() => patch({ mfaEnabled: false })}
      >
        {question === 'mfa' && !isMe && <SignOutEffect user={user} />}
        <p>{t.removeSecondFactorEffect}</p>
      </Confirm>
      <Confirm
        open={question === 'delete'}
        onOpenChange={() => setQuestion(undefined)}
        title={t.deleteQuestion(user.name)}
        action={t.deleteName(user.name)}
        danger
        asksReason
        onConfirm={async ({ reason }) => {
          await answerOf(api.DELETE('/v1/admin/users/{id}', { params: { path }, ...(reason && { body: { reason } }) }))
          await leave('/users')
          await invalidate(queries, 'users')
        }}
      >
        {question === 'delete' && <BlockingEffect user={user} />}
        <p>{t.deleteEffect(user.email)}</p>
      </Confirm>
    </>
  )
}

/** The number of sessions that end, and of applications that lose their tokens, as a sentence. */
function BlockingEffect({ user }: { user: UserDetails }) {
  const { data } = useQuery(userImpactQuery(user.id))
  return <p>{data && data.sessions + data.applications > 0 ? t.blockEffectNumbers(data.sessions, data.applications) : t.blockEffect}</p>
}

/** The same for the end of all sessions, which ends the tokens of applications, too. */
function SessionsEffect({ user }: { user: UserDetails }) {
  const { data } = useQuery(userImpactQuery(user.id))
  return <p>{data ? t.blockEffectNumbers(data.sessions, data.applications) : t.sessionsEffect}</p>
}

/** What happens when another person removes the second factor: applications keep their tokens. */
function SignOutEffect({ user }: { user: UserDetails }) {
  const { data } = useQuery(userImpactQuery(user.id))
  return <p>{t.signOutEffect(data?.sessions, user.email)}</p>
}
