import { questionsTexts as t } from '../texts/questions.ts'
import styles from './new-host.module.css'

/** The fields with the addresses to which an application sends users. */
export type AddressField = 'redirectUris' | 'postLogoutRedirectUris'

export interface NewHostProps {
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
