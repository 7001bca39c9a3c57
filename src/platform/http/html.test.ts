import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html } from './html.ts'

describe('the html tag', () => {
  it('preserves the markup of its templates, however they are nested', () => {
    const items = ['one', 'two'].map((name) => html`<li>${name}</li>`)
    expect(String(html`<ul class="${'list'}">${items}</ul>`)).toBe('<ul class="list"><li>one</li><li>two</li></ul>')
  })

  it('removes the line breaks of a template, except between words or attributes', () => {
    const list = html`
      <ul
        class="${'list'}"
        id="all">
        ${html`<li>one</li>`}
        <li>two
          words</li>
      </ul>`
    expect(String(list)).toBe('<ul class="list" id="all"><li>one</li><li>two words</li></ul>')
  })

  it('preserves the line breaks of a text', () => {
    expect(String(html`<p>${'one\n  two'}</p>`)).toBe('<p>one\n  two</p>')
  })

  it('escapes text, once', () => {
    const name = html`<b>${'Ben & "Jerry" <script>'}</b>`
    expect(String(html`<p>${name}</p>`)).toBe('<p><b>Ben &amp; &quot;Jerry&quot; &lt;script&gt;</b></p>')
  })

  it('writes nothing for absent values', () => {
    expect(String(html`<p>${undefined}${null}${false}${0}</p>`)).toBe('<p>0</p>')
  })

  it('lets no text out of an element or of a quoted attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', ' ', '=', '/') }), (text) => {
        const written = String(html`${text}`)
        return !/[<>"']/.test(written) && !/&(?!amp;|lt;|gt;|quot;|#39;)/.test(written)
      }),
    )
  })

  it('does not accept an object that only looks like HTML', () => {
    const lookAlike = JSON.parse('{"toString":"<script>"}')
    expect(() => html`${lookAlike}`).toThrow()
  })
})
