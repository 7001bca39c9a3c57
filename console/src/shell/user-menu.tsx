import { useRouterState } from '@tanstack/react-router'
import { CircleUserRound, LogOut, Settings2 } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import { useProfile } from '../api/profile.ts'
import { session } from '../api/session.ts'
import { lazyNamed } from '../base/lazy-named.ts'
import { OnDemand } from '../parts/on-demand.tsx'
import { useAction } from '../parts/use-submit.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Menu } from '../ui/menu.tsx'
import styles from './user-menu.module.css'

const PreferencesDialog = lazyNamed(() => import('./preferences-dialog.tsx'), 'PreferencesDialog')

export function UserMenu() {
  const { name } = useProfile()
  const [isOpen, setOpen] = useState(false)
  const here = useRouterState({ select: ({ location }) => location.href })
  const signOut = useAction(async () => {
    await answerOf(api.POST('/v1/auth/logout'))
    session.tellSignedOut()
    location.assign('/login?returnTo=%2Fconsole')
  })
  return (
    <>
      <Menu
        label={t.userMenu}
        trigger={
          <button type="button" className={styles.trigger}>
            <Avatar name={name} />
            <span className={styles.name}>{name}</span>
          </button>
        }
        items={[
          {
            label: t.account,
            icon: CircleUserRound,
            href: `/account?returnTo=${encodeURIComponent(`/console${here === '/' ? '' : here}`)}`,
          },
          { label: t.preferences, icon: Settings2, onSelect: () => setOpen(true) },
          'separator',
          { label: t.signOut, icon: LogOut, onSelect: () => void signOut.run() },
        ]}
      />
      <OnDemand open={isOpen}>
        <PreferencesDialog open={isOpen} onOpenChange={setOpen} />
      </OnDemand>
    </>
  )
}
