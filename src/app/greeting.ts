import { resolve } from 'node:path'
import type { FirstSteps } from '../provisioning/first-steps.ts'
import type { Config } from './config.ts'
import type { Service } from './start-service.ts'

export interface Secrets {
  systemApiKey: { value: string; file: string | undefined; isUnprinted: boolean }
}

/** The text that the operator reads at a start: how to sign in for the first time and, in development, where everything is. */
export function greeting(config: Config, { bootstrapped }: Pick<Service, 'bootstrapped'>, { systemApiKey }: Secrets): string {
  const lines: string[] = []
  if (bootstrapped) {
    const { slug, email, password, generated } = bootstrapped
    const login = `sign in as ${email}${generated ? ` with the password ${password}` : ''}`
    lines.push(`Organisation ${slug}: open ${config.publicUrl}/console and ${login}`)
    if (generated) lines.push(`The password is shown this once. When it is lost: ${whenLost(config, email)}`)
    if (!config.production) lines.push('`gatehouse first-steps` says this again, without the password')
  }
  if (systemApiKey.isUnprinted) lines.push(`System API key: ${systemApiKey.value}`)
  if (!config.production) lines.push(...whereThingsAre(config), whereKeysAre(config, systemApiKey.file))
  return lines.length > 0 ? `\n${edge}\n  ${lines.join('\n  ')}\n${edge}\n\n` : ''
}

/** The steps that remain before an installation can be used, one line each. */
export function firstStepsOf(config: Config, found: FirstSteps | undefined): string[] {
  const places = config.production ? [`Console: ${config.publicUrl}/console`] : whereThingsAre(config)
  if (!found) return ['There is no organisation yet: a start of the service creates the first one', ...places]
  const { slug, email, isPasswordUnchanged } = found
  if (!isPasswordUnchanged) return [`Organisation ${slug}: ${email} no longer has the password of the first start`, ...places]
  const password = config.bootstrap?.password === undefined ? 'that the first start has shown' : 'in BOOTSTRAP_OWNER_PASSWORD'
  return [
    `Organisation ${slug}: open ${config.publicUrl}/console and sign in as ${email} with the password ${password}`,
    `Only its hash is stored. When it is lost: ${whenLost(config, email)}`,
    ...places,
  ]
}

/** A visible edge, so that the greeting is easy to find among the lines of the log. */
const edge = '─'.repeat(80)

const whenLost = ({ publicUrl, smtpUrl, production }: Config, email: string) =>
  smtpUrl || production
    ? `${publicUrl}/password/forgot, or \`gatehouse user password-link ${email}\``
    : `${publicUrl}/password/forgot, whose mail is at ${publicUrl}/dev/mail`

function whereThingsAre({ publicUrl, smtpUrl, apiDocs }: Config): string[] {
  return [
    `Console: ${publicUrl}/console`,
    `Sign-in: ${publicUrl}/login`,
    `API: ${publicUrl}${apiDocs ? '/docs' : '/v1'}`,
    `Mails: ${smtpUrl ? 'sent by the server in SMTP_URL' : `${publicUrl}/dev/mail`}`,
  ]
}

const whereKeysAre = ({ dataDir, secretKey }: Config, systemApiKeyFile: string | undefined): string =>
  `Keys: ${systemApiKeyFile ? resolve(systemApiKeyFile) : 'SYSTEM_API_KEY'} (system API), ${secretKey ? 'SECRET_KEY' : resolve(dataDir, 'secret-key')} (encryption)`
