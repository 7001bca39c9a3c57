import { useEffect } from 'react'
import { PageTitle } from '../../parts/page-title.tsx'
import { tryTexts as t } from '../../texts/try-it.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { tellAnswer } from './try-channel.ts'
import styles from './try-it.module.css'

/** The page to which the sign-in of "Try it" returns: passes the response to the awaiting page, and closes the window. */
export function TryReturn() {
  useEffect(() => {
    const { search } = location
    if (!search) return
    // The code is passed on once, and does not stay in the history.
    history.replaceState(null, '', location.pathname)
    // A window that closes at once may lose its message.
    void tellAnswer(Object.fromEntries(new URLSearchParams(search))).then(() => window.close())
  }, [])
  return (
    <main className={styles.returned}>
      <PageTitle>{t.title}</PageTitle>
      <PageHead title={t.returned} description={t.returnedDescription} />
    </main>
  )
}
