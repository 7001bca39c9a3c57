import { describe, expect, it } from 'vitest'
import { writeMail } from './letter.ts'

const letterhead = { name: 'Acme & Sons', logoUrl: 'https://acme.test/logo.png', primaryColor: '#ffcc00' }
const letter = {
  to: 'carol@acme.test',
  language: 'en' as const,
  subject: 'Choose a new <password>',
  greeting: 'Hello Carol "C" Shaw,',
  paragraphs: ['First & second.'],
  action: { label: 'Choose', link: 'https://id.acme.test/password/reset?token=a&next=b' },
  notes: ['The link works once.'],
}

describe('a mail', () => {
  it('says the same as text and as HTML', () => {
    const { text, html } = writeMail(letterhead, letter)

    expect(text).toBe(
      'Hello Carol "C" Shaw,\n\nFirst & second.\n\nChoose:\nhttps://id.acme.test/password/reset?token=a&next=b\n\nThe link works once.\n\n-- \nAcme & Sons\n',
    )
    expect(html).toContain('<p>Hello Carol &quot;C&quot; Shaw,</p>')
    expect(html).toContain('<title>Choose a new &lt;password&gt;</title>')
    expect(html).toContain('href="https://id.acme.test/password/reset?token=a&amp;next=b"')
  })

  it("carries the organisation's name, logo and colour, with text on it that can be read", () => {
    expect(writeMail(letterhead, letter).html).toMatch(/<img src="https:\/\/acme\.test\/logo\.png" alt="Acme &amp; Sons"/)
    expect(writeMail(letterhead, letter).html).toContain('background:#ffcc00;color:#000000')
    expect(writeMail({ ...letterhead, primaryColor: '#003366' }, letter).html).toContain('background:#003366;color:#ffffff')
    expect(writeMail({ ...letterhead, logoUrl: undefined }, letter).html).not.toContain('<img')
  })
})
