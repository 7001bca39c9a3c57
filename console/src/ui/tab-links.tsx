import type { LinkProps } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Link } from './link.tsx'
import styles from './tabs.module.css'

export interface TabLink extends Pick<LinkProps, 'to' | 'params' | 'search'> {
  label: string
  count?: string | number
}

/** The tabs of a record, each with an address of its own. The first one is current at exactly its address. */
export function TabLinks({ label, tabs }: { label: string; tabs: TabLink[] }) {
  const strip = useRef<HTMLElement>(null)
  const { pathname } = location
  // Where the strip is cut off, the current tab may be outside. Only the strip scrolls, never the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address has another current tab
  useEffect(() => {
    const current = strip.current?.querySelector<HTMLElement>('[aria-current]')
    if (!strip.current || !current) return
    strip.current.scrollLeft += current.getBoundingClientRect().left - strip.current.getBoundingClientRect().left - current.offsetWidth
  }, [pathname])
  return (
    <nav ref={strip} aria-label={label} className={styles.strip}>
      <ul className={styles.list}>
        {tabs.map(({ label: text, count, ...target }) => (
          <li key={text}>
            <Link {...(target as { to: string })} activeOptions={{ exact: true, includeSearch: false }} className={styles.tab}>
              {text}
              {count !== undefined && <span className={styles.count}>{count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
