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
  return (
    <nav aria-label={label} className={styles.strip}>
      <ul className={styles.list}>
        {tabs.map(({ label: text, count, ...target }) => (
          <li key={text}>
            <Link {...(target as { to: string })} activeOptions={{ exact: true, includeSearch: false }} className={styles.tab}>
              {({ isActive }) => (
                <>
                  <TabText text={text} isCurrent={isActive} />
                  {count !== undefined && <span className={styles.count}>{count}</span>}
                </>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Where the strip is cut off, the current tab may be outside. Only the strip scrolls, never the page. */
function TabText({ text, isCurrent }: { text: string; isCurrent: boolean }) {
  const own = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const tab = own.current?.closest('li')
    const strip = tab?.closest('nav')
    if (!isCurrent || !tab || !strip) return
    // The router gives each new page the scroll positions of the former one, by this name.
    strip.dataset.scrollRestorationId = location.pathname
    strip.scrollLeft += tab.getBoundingClientRect().left - strip.getBoundingClientRect().left - tab.offsetWidth
  }, [isCurrent])
  return <span ref={own}>{text}</span>
}
