import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeRedirected, messageBytesMax } from '../../../src/connections/saml/decode.ts'

const refuse = (check: string): never => {
  throw new Error(check)
}
const sent = (text: string | Buffer) => deflateRawSync(text).toString('base64')

describe('a message by the Redirect binding', () => {
  it('is inflated', () => {
    expect(decodeRedirected(sent('<a>ä</a>'), refuse)).toBe('<a>ä</a>')
  })

  it('that inflates to more than 256 KiB is refused, however small it came', () => {
    const bomb = sent('a'.repeat(100 * messageBytesMax))

    expect(bomb.length).toBeLessThan(messageBytesMax)
    expect(() => decodeRedirected(bomb, refuse)).toThrow('size')
    expect(decodeRedirected(sent('a'.repeat(messageBytesMax)), refuse)).toHaveLength(messageBytesMax)
    expect(() => decodeRedirected('A'.repeat(2 * messageBytesMax), refuse)).toThrow('size')
  })

  it('that was not deflated, or is no UTF-8, is refused', () => {
    expect(() => decodeRedirected(Buffer.from('<a/>').toString('base64'), refuse)).toThrow('encoding')
    expect(() => decodeRedirected(sent(Buffer.from([0xc3, 0x28])), refuse)).toThrow('encoding')
  })
})
