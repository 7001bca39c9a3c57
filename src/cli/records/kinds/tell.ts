/** What commands say of a change, done or rehearsed. */
import { getsNoMail } from '../../mails-leave.ts'
import type { ApiRecord } from '../kind.ts'

export const acts = (done: string, would: string) => (label: string) => ({ done: `${done} ${label}`, would: `${would} ${label}` })
export const creates = acts('Created', 'create')
export const updates = acts('Changed', 'change')
export const deletes = acts('Deleted', 'delete')

/** An invitation is in its mail alone: where no mail leaves, the operator creates the user. */
export const mailed = (email: string, what: string, leaves: boolean) =>
  leaves
    ? { done: `${email} is mailed ${what}`, would: `mail ${email} ${what}` }
    : {
        done: `${email} gets no mail, as no mail server is set: \`gatehouse user create --no-mail\` creates the user, and \`gatehouse user password-link ${email}\` prints a link that sets the password`,
        would: `make ${what} for ${email}, who would ${getsNoMail}`,
      }

export const numberOf = (record: ApiRecord, field: string) => Number(record[field] ?? 0)
