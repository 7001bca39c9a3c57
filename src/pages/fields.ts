import { type Html, html } from '../platform/http/html.ts'
import { type FormState, onlyMistaken } from './form-state.ts'
import type { View } from './view.ts'

export interface Field {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'tel'
  autocomplete: string
  inputmode?: 'numeric' | 'email'
  hint?: Html | string | undefined
  className?: string
  /** Whether it may be empty. */
  optional?: boolean
  /** How many lines are visible of a field that takes several. */
  rows?: number
  /** The label of the button that shows a password, on pages with a script. */
  reveal?: string
  /** The accessible name of that button, where several fields have one. */
  revealName?: string
  /** Whether that button is visible without the script. */
  isRevealShown?: boolean
  /** Whether the field has the initial focus. */
  first?: boolean
}

/** A labelled field with its mistakes. It retains the entered text, unless it is a password. */
export function fieldOf(form: FormState, field: Field): Html {
  const { name, label, type = 'text', hint } = field
  const mistakes = form.messages.filter((message) => message.field === name)
  const described = [hint && `${name}-hint`, mistakes.length > 0 && `${name}-error`].filter(Boolean).join(' ')
  const value = type === 'password' || name === 'code' ? '' : (form.values[name] ?? '')
  const attributes = [
    value !== '' && html` value="${value}"`,
    field.inputmode && html` inputmode="${field.inputmode}"`,
    field.className && html` class="${field.className}"`,
    described !== '' && html` aria-describedby="${described}"`,
    mistakes.length > 0 && html` aria-invalid="true"`,
    (type === 'email' || name === 'code') && html` autocapitalize="none" spellcheck="false"`,
    // The summary of mistakes takes the focus if the page has one.
    (form.messages.length === 0 ? field.first : name === onlyMistaken(form)) && html` autofocus`,
  ]
  // The button comes last, so that Tab leads from field to field.
  return html`
    <div class="field">
      <div class="label-row"><label for="${name}">${label}</label></div>
      ${hint && hintOf(name, hint)}
      ${mistakes.length > 0 && html`<span class="error" id="${name}-error">${mistakes.map(({ text }) => html`<span>${text}</span> `)}</span>`}
      ${
        field.rows === undefined
          ? html`<input id="${name}" name="${name}" type="${type}" autocomplete="${field.autocomplete}"${!field.optional && html` required`}${attributes}>`
          : html`<textarea id="${name}" name="${name}" rows="${field.rows}" spellcheck="false"${!field.optional && html` required`}${attributes.slice(1)}>${value}</textarea>`
      }
      ${field.reveal && revealButton(field, field.reveal)}
    </div>`
}

const revealButton = ({ name, revealName, isRevealShown }: Field, text: string) =>
  html`<button class="reveal" type="button" data-shows="${name}" aria-pressed="false"${revealName !== undefined && html` aria-label="${revealName}"`}${!isRevealShown && html` hidden`}>${text}</button>`

const hintOf = (name: string, hint: Html | string) =>
  typeof hint === 'string' ? html`<span class="hint" id="${name}-hint">${hint}</span>` : html`<div id="${name}-hint">${hint}</div>`

export const codeField = ({ texts }: View, differences: Partial<Field> = {}): Field => ({
  name: 'code',
  label: texts.code,
  autocomplete: 'one-time-code',
  className: 'code',
  ...differences,
})

/** A read-only address, under which password managers store the password. */
export const fixedEmail = ({ texts }: View, email: string) => html`
  <div class="field">
    <div class="label-row"><label for="email">${texts.email}</label></div>
    <input id="email" type="email" autocomplete="username" value="${email}" readonly>
  </div>`

export const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`
export const button = (label: string) => html`<button class="button" type="submit">${label}</button>`
export const quietButton = (label: Html | string) => html`<button class="button quiet" type="submit">${label}</button>`
