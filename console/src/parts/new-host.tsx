import { questionsTexts as t } from '../texts/questions.ts'
import { newDestinations } from './destinations.ts'
import styles from './new-host.module.css'
import { useQuestion } from './use-question.tsx'

/** The fields that say where an application sends people. */
export type AddressField = 'redirectUris' | 'postLogoutRedirectUris'

interface NewHostProps {
  host: string
  field: AddressField
  application: string
}

/** Names the host to which none of the addresses of an application leads so far, and what it gets. */
export function NewHost({ host, field, application }: NewHostProps) {
  return (
    <div className={styles.warning}>
      <p className={styles.host}>{host}</p>
      <p>{t.newHost[field](application)}</p>
    </div>
  )
}

/** Asks before addresses are registered that lead to a host to which no address of the application leads so far. */
export function useHostQuestion() {
  const { ask, question } = useQuestion()
  return {
    /** @returns whether to go on: at once when all hosts are known */
    askAboutHosts: async ({
      field,
      application,
      uris,
      known,
    }: Omit<NewHostProps, 'host'> & Record<'uris' | 'known', readonly string[]>) => {
      for (const host of newDestinations(uris, known)) {
        const isWanted = await ask({
          title: t.newHostQuestion(application),
          body: <NewHost {...{ host, field, application }} />,
          action: t.addHost(host),
          danger: true,
          typeToConfirm: host,
        })
        if (!isWanted) return false
      }
      return true
    },
    question,
  }
}
