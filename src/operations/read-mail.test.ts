import { createTransport } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { readMail } from './read-mail.ts'

const transport = createTransport({ streamTransport: true, buffer: true })

describe('a mail in a file', () => {
  it.each([
    ['plain words', 'Choose a password', 'Hello Carol,\n\nhttps://id.test/password/reset?token=abc'],
    ['other alphabets', 'Passwort für Zoë wählen – jetzt', `Καλημέρα Zoë,\n\nhttps://id.test/?token=${'x'.repeat(90)}&a=b`],
    ['mostly other alphabets', '密码', '请选择一个新密码。'.repeat(20)],
  ])('with %s is read as it was written', async (_, subject, text) => {
    const { message } = await transport.sendMail({ from: 'a@b.test', to: 'carol@acme.test', subject, text, html: `<p>${text}</p>` })

    expect(readMail(String(message))).toEqual({
      to: 'carol@acme.test',
      subject,
      date: expect.any(String),
      text,
      html: `<p>${text}</p>`,
    })
  })

  it('of text only has no HTML', async () => {
    const { message } = await transport.sendMail({ from: 'a@b.test', to: 'carol@acme.test', subject: 'Hello', text: 'Grüße' })

    expect(readMail(String(message))).toMatchObject({ text: 'Grüße', html: undefined })
  })
})
