import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { CircleHelp, CodeXml, Menu as MenuIcon } from 'lucide-react'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Profile, useProfile } from '../api/profile.ts'
import { proof } from '../api/proof.ts'
import { session } from '../api/session.ts'
import { lazyNamed } from '../base/lazy-named.ts'
import { OnDemand } from '../parts/on-demand.tsx'
import { useShortcut } from '../parts/shortcuts.ts'
import { StatusLine } from '../parts/status-line.tsx'
import { byHand } from '../parts/use-copy.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Avatar } from '../ui/avatar.tsx'
import { IconButton } from '../ui/button.tsx'
import { FieldTextsProvider } from '../ui/field.tsx'
import { Link } from '../ui/link.tsx'
import { StylesFromFiles } from '../ui/styles-from-files.tsx'
import { ToastRegion } from '../ui/toast.tsx'
import { Banners } from './banners.tsx'
import { CopyLink } from './copy-link.tsx'
import { fieldText } from './field-text.ts'
import { Navigation, type NavigationEntry, navigation } from './navigation.tsx'
import { Palette } from './palette.tsx'
import styles from './shell.module.css'
import { useWarnings } from './use-warnings.ts'
import { UserMenu } from './user-menu.tsx'

const ApiDrawer = lazyNamed(() => import('./api-drawer.tsx'), 'ApiDrawer')
const ShortcutsDialog = lazyNamed(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog')
const CopyByHand = lazyNamed(() => import('../parts/copy-by-hand.tsx'), 'CopyByHand')
const NavigationDrawer = lazyNamed(() => import('./navigation-drawer.tsx'), 'NavigationDrawer')
const NoPermissions = lazyNamed(() => import('./no-permissions.tsx'), 'NoPermissions')
const OrganisationStatus = lazyNamed(() => import('./organisation-status.tsx'), 'OrganisationStatus')
const ProofDialog = lazyNamed(() => import('./proof-dialog.tsx'), 'ProofDialog')
const SessionEnded = lazyNamed(() => import('./session-ended.tsx'), 'SessionEnded')

/** The frame of every page: the navigation at the left, the bar above, and the overlays. */
export function Shell() {
  const { organisation, permissions } = useProfile()
  const [isOpen, setOpen] = useState(false)
  const [drawer, setDrawer] = useState<'api' | 'shortcuts'>()
  useShortcut(
    '?',
    t.shortcuts,
    useCallback(() => setDrawer('shortcuts'), []),
  )
  const askedProof = useSyncExternalStore(proof.subscribe, proof.asked)
  const hasEnded = useSyncExternalStore(session.subscribe, session.hasEnded)
  const toCopy = useSyncExternalStore(byHand.subscribe, byHand.text)
  const warnings = useWarnings()
  const main = useRef<HTMLElement>(null)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const first = useRef(pathname)
  // Announce the new page to screen readers; they read the first one by themselves.
  useEffect(() => {
    if (first.current === pathname) return
    first.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])

  return (
    <StylesFromFiles>
      <FieldTextsProvider value={fieldText}>
        <div className={styles.shell}>
          <a className="skip-link" href="#main">
            {t.skipToContent}
          </a>
          <aside className={styles.side}>
            <Organisation {...organisation} />
            <Navigation warnings={warnings} />
          </aside>
          <header className={styles.top}>
            <span className={styles.menuButton}>
              <IconButton label={t.navigation} icon={MenuIcon} onClick={() => setOpen(true)} />
            </span>
            <div className={styles.search}>
              <Palette />
            </div>
            <CopyLink />
            <IconButton label={t.apiDrawer} icon={CodeXml} onClick={() => setDrawer('api')} />
            <span className={styles.shortcutsButton}>
              <IconButton label={t.shortcuts} icon={CircleHelp} onClick={() => setDrawer('shortcuts')} />
            </span>
            <UserMenu />
          </header>
          <main className={styles.main} id="main" tabIndex={-1} ref={main}>
            <Banners />
            {permissions.length === 0 ? (
              <OnDemand open>
                <NoPermissions />
              </OnDemand>
            ) : (
              <Outlet />
            )}
          </main>
        </div>
        <OnDemand open={isOpen}>
          <NavigationDrawer open={isOpen} onOpenChange={setOpen} organisation={organisation} warnings={warnings} />
        </OnDemand>
        <OnDemand open={drawer === 'api'}>
          <ApiDrawer open={drawer === 'api'} onOpenChange={(open) => setDrawer(open ? 'api' : undefined)} />
        </OnDemand>
        <OnDemand open={drawer === 'shortcuts'}>
          <ShortcutsDialog open={drawer === 'shortcuts'} onOpenChange={(open) => setDrawer(open ? 'shortcuts' : undefined)} />
        </OnDemand>
        <OnDemand open={askedProof !== undefined}>
          <ProofDialog asked={askedProof} onClose={() => askedProof?.settle(false)} />
        </OnDemand>
        <OnDemand open={hasEnded}>
          <SessionEnded open={hasEnded} />
        </OnDemand>
        <GoToShortcuts />
        <OnDemand open={toCopy !== undefined}>
          <CopyByHand text={toCopy} />
        </OnDemand>
        <StatusLine />
        <ToastRegion closeLabel={t.close} label={t.notifications} />
      </FieldTextsProvider>
    </StylesFromFiles>
  )
}

function Organisation({ name, status }: Profile['organisation']) {
  return (
    <Link to="/" subtle className={styles.organisation}>
      <Avatar name={name} square />
      <span>{name}</span>
      <OnDemand open={status !== 'active'}>
        <OrganisationStatus status={status} />
      </OnDemand>
    </Link>
  )
}

function GoToShortcuts() {
  return navigation.flatMap(({ entries }) => entries).map((entry) => <GoTo key={entry.to} {...entry} />)
}

function GoTo({ to, params, label, shortcut }: NavigationEntry) {
  const router = useRouter()
  const go = useCallback(() => void router.navigate({ to, params } as { to: string }), [router, to, params])
  useShortcut(`g ${shortcut}`, t.goTo(label), go)
  return null
}
