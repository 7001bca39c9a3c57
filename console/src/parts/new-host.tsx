import { questionsTexts as t } from '../texts/questions.ts'
import { newDestinations } from './destinations.ts'
import styles from './new-host.module.css'
import { useQuestion } from './use-question.tsx'

/** The fields with the addresses to which an application sends users. */
export type AddressField = 'redirectUris' | 'postLogoutRedirectUris'

interface NewHostProps {
  host: string
  field: AddressField
  application: string
}

/** Names the new host among the addresses of an application, and the data that it receives. */
export function NewHost({ host, field, application }: NewHostProps) {
  return (
    <div className={styles.warning}>
      <p className={styles.host}>{host}</p>
      <p>{t.newHost[field](application)}</p>
    </div>
  )
}

/** Asks before the registration of addresses with a host that no address of the application has had. */
export function useHostQuestion() {
  const { ask, question } = useQuestion()
  return {
    /** @returns whether to continue: at once when all hosts are known */
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
