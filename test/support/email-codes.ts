import { expect } from 'vitest'
import type { TestService } from './service.ts'

/** What a mail brought, and the flow that it completes. */
export interface MailedProof {
  flowToken: string
  code: string
  /** Of the link in the mail. */
  linkToken: string
}

/** Asks for a code by mail and waits for it. The organisation has to allow it. */
export async function askForCode({ anonymous, mailbox }: Pick<TestService, 'anonymous' | 'mailbox'>, email: string): Promise<MailedProof> {
  const asked = await anonymous.post('/v1/auth/email-code', { email })
  expect(asked).toMatchObject({ status: 202, body: { flowToken: expect.any(String) } })
  const linkToken = await mailbox.tokenTo(email, 'Sign in to')
  const code = codeIn(mailbox.mails.find(({ text }) => text.includes(linkToken))?.text)
  return { flowToken: asked.body.flowToken, code, linkToken }
}

export const codeIn = (text = ''): string => /^Your code: (\d{8})$/m.exec(text)?.[1] ?? ''

/** What signs in by mail. */
export async function emailCodeFor(service: Pick<TestService, 'anonymous' | 'mailbox'>, email: string) {
  const { flowToken, code } = await askForCode(service, email)
  return { flowToken, code }
}

/** Another code than this one. */
export const otherThan = (code: string): string => String((Number(code) + 1) % 100_000_000).padStart(8, '0')
