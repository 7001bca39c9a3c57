import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { CircleHelp, CodeXml, Menu as MenuIcon } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useProfile } from '../api/profile.ts'
import { useShortcut } from '../parts/shortcuts.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Avatar } from '../ui/avatar.tsx'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FieldTextsProvider } from '../ui/field.tsx'
import { Link } from '../ui/link.tsx'
import { StylesFromFiles } from '../ui/styles-from-files.tsx'
import { ToastRegion } from '../ui/toast.tsx'
import { ApiDrawer } from './api-drawer.tsx'
import { Banners } from './banners.tsx'
import { fieldText } from './field-text.ts'
import { type Entry, Navigation, navigation } from './navigation.tsx'
import { Palette } from './palette.tsx'
import { SessionEnded } from './session-ended.tsx'
import styles from './shell.module.css'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { useWarnings } from './use-warnings.ts'
import { UserMenu } from './user-menu.tsx'

/** What surrounds every page: navigation at the left, the bar above, and what can lie over the page. */
export function Shell() {
  const { organisation } = useProfile()
  const [isOpen, setOpen] = useState(false)
  const [drawer, setDrawer] = useState<'api' | 'shortcuts'>()
  useShortcut(
    '?',
    t.shortcuts,
    useCallback(() => setDrawer('shortcuts'), []),
  )
  const warnings = useWarnings()
  const main = useRef<HTMLElement>(null)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const first = useRef(pathname)
  // A reader of the screen is told of the new page; the first one is read by itself.
  useEffect(() => {
    if (first.current === pathname) return
    first.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])

  return (
    <StylesFromFiles>
      <FieldTextsProvider value={fieldText}>
        <ToastRegion closeLabel={t.close} label={t.notifications}>
          <div className={styles.shell}>
            <a className="skip-link" href="#main">
              {t.skipToContent}
            </a>
            <aside className={styles.side}>
              <Organisation name={organisation.name} />
              <Navigation warnings={warnings} />
            </aside>
            <header className={styles.top}>
              <span className={styles.menuButton}>
                <IconButton label={t.navigation} icon={MenuIcon} onClick={() => setOpen(true)} />
              </span>
              <div className={styles.search}>
                <Palette />
              </div>
              <IconButton label={t.apiDrawer} icon={CodeXml} onClick={() => setDrawer('api')} />
              <IconButton label={t.shortcuts} icon={CircleHelp} onClick={() => setDrawer('shortcuts')} />
              <UserMenu />
            </header>
            <main className={styles.main} id="main" tabIndex={-1} ref={main}>
              <Banners />
              <Outlet />
            </main>
          </div>
          <Dialog drawer open={isOpen} onOpenChange={setOpen} title={organisation.name} closeLabel={t.close}>
            <Navigation warnings={warnings} onNavigate={() => setOpen(false)} />
          </Dialog>
          <ApiDrawer open={drawer === 'api'} onOpenChange={(open) => setDrawer(open ? 'api' : undefined)} />
          <ShortcutsDialog open={drawer === 'shortcuts'} onOpenChange={(open) => setDrawer(open ? 'shortcuts' : undefined)} />
          <SessionEnded />
          <GoToShortcuts />
        </ToastRegion>
      </FieldTextsProvider>
    </StylesFromFiles>
  )
}

function Organisation({ name }: { name: string }) {
  return (
    <Link to="/" subtle className={styles.organisation}>
      <Avatar name={name} square />
      <span>{name}</span>
    </Link>
  )
}

function GoToShortcuts() {
  return navigation.flatMap(({ entries }) => entries).map((entry) => <GoTo key={entry.to} {...entry} />)
}

function GoTo({ to, params, label, shortcut }: Entry) {
  const router = useRouter()
  const go = useCallback(() => void router.navigate({ to, params } as { to: string }), [router, to, params])
  useShortcut(`g ${shortcut}`, t.goTo(label), go)
  return null
}
