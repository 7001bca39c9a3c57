import { resolve } from 'node:path'
import type { Config } from './config.ts'
import type { Service } from './start-service.ts'

export interface Secrets {
  systemApiKey: { value: string; file: string | undefined; isUnprinted: boolean }
}

/** What the operator reads at a start: how to sign in for the first time and, in development, where everything is. */
export function greeting(config: Config, { bootstrapped }: Pick<Service, 'bootstrapped'>, { systemApiKey }: Secrets): string {
  const lines: string[] = []
  if (bootstrapped) {
    const { slug, email, password, generated } = bootstrapped
    const login = `sign in as ${email}${generated ? ` with the password ${password}` : ''}`
    lines.push(`Organisation ${slug}: open ${config.publicUrl}/console and ${login}`)
    if (generated) lines.push(`The password is shown this once. When it is lost: ${whenLost(config, email)}`)
  }
  if (systemApiKey.isUnprinted) lines.push(`System API key: ${systemApiKey.value}`)
  if (!config.production) lines.push(...whereThingsAre(config, systemApiKey.file))
  return lines.length > 0 ? `\n${edge}\n  ${lines.join('\n  ')}\n${edge}\n\n` : ''
}

/** So that it is found again between the lines of the log. */
const edge = '─'.repeat(80)

const whenLost = ({ publicUrl, smtpUrl, production }: Config, email: string) =>
  smtpUrl || production
    ? `${publicUrl}/password/forgot, or \`gatehouse user password-link ${email}\``
    : `${publicUrl}/password/forgot, whose mail is at ${publicUrl}/dev/mail`

function whereThingsAre({ publicUrl, smtpUrl, apiDocs, dataDir, secretKey }: Config, systemApiKeyFile: string | undefined): string[] {
  const inDataDir = (name: string) => resolve(dataDir, name)
  return [
    `Console: ${publicUrl}/console`,
    `Sign-in: ${publicUrl}/login`,
    `API: ${publicUrl}${apiDocs ? '/docs' : '/v1'}`,
    `Mails: ${smtpUrl ? 'sent by the server in SMTP_URL' : `${publicUrl}/dev/mail`}`,
    `Keys: ${systemApiKeyFile ? resolve(systemApiKeyFile) : 'SYSTEM_API_KEY'} (system API), ${secretKey ? 'SECRET_KEY' : inDataDir('secret-key')} (encryption)`,
  ]
}
