import type { Config } from '../app/config.ts'

/** Whether users get their mails. Outside production, mails without a server are listed at `/dev/mail`. */
export const mailsLeave = ({ smtpUrl, production }: Pick<Config, 'smtpUrl' | 'production'>): boolean => smtpUrl !== undefined || !production

/** How a user whom no mail reaches sets a password. */
export const printsLink = (email: string, whose: string): string =>
  `no mail server is set: \`gatehouse user password-link ${email}\` prints a link that sets ${whose} password`

/** The same of a rehearsed command, after `would`. */
export const getsNoMail = 'get no mail, as no mail server is set'
