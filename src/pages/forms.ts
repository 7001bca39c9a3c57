import { type Html, type HtmlValue, html } from '../platform/http/html.ts'
import { button, type Field, fieldOf } from './fields.ts'
import { type FormState, onlyMistaken } from './form-state.ts'
import { heading, type Page } from './layout.ts'
import type { FormMessage } from './messages.ts'
import type { View } from './view.ts'

/** Fields side by side where there is room. */
interface Columns {
  columns: readonly Field[]
}

interface FormContent {
  title: string
  lead?: Html | string | undefined
  /** The content above the title. */
  above?: Html
  /** A notice that is shown while there is nothing to correct. */
  notice?: HtmlValue
  /** The content between the title and the form. */
  introduction?: Html
  /** The path of ours that the form posts to. */
  action: string
  fields: readonly (Field | Columns | Html)[]
  /** The label of the button, or the buttons. */
  submit: string | Html
  frame?: (form: Html) => Html
  after?: HtmlValue
  wide?: boolean
  images?: Page['images']
  attributes?: Html
}

/** A page with one form and, after a refusal, its mistakes. */
export function formPage(view: View, form: FormState, content: FormContent): Page {
  const {
    title,
    lead,
    above,
    notice,
    introduction,
    action,
    fields,
    submit,
    frame = (inner) => inner,
    after,
    wide,
    images,
    attributes,
  } = content
  const parts = fields.map((part) => partOf(form, part))
  const ownForm = formTo(
    view,
    action,
    html`${parts}${typeof submit === 'string' ? button(submit) : submit}`,
    attributes ? { attributes } : {},
  )
  return {
    status: form.status,
    title,
    hasErrors: form.messages.length > 0,
    ...(wide && { wide }),
    ...(images && { images }),
    body: html`
      ${above}
      ${heading(title, lead)}
      ${errorSummary(view, form, fields.flatMap(fieldsIn)) ?? notice}
      ${introduction}
      ${frame(ownForm)}
      ${after}`,
  }
}

function partOf(form: FormState, part: Field | Columns | Html): Html {
  if ('columns' in part) return html`<div class="columns">${part.columns.map((field) => fieldOf(form, field))}</div>`
  return 'name' in part ? fieldOf(form, part) : part
}

function fieldsIn(part: Field | Columns | Html): readonly Field[] {
  if ('columns' in part) return part.columns
  return 'name' in part ? [part] : []
}

interface FormDifferences {
  /** The question that the account's script asks before the form is sent. */
  confirm?: string | undefined
  attributes?: Html
}

/** A form that posts to a path of ours. */
export const formTo = (view: View, action: string, content: Html, { confirm, attributes }: FormDifferences = {}) => html`
  <form method="post" action="${action}" novalidate${confirm !== undefined && html` data-confirm="${confirm}"`}${attributes}>
    <input type="hidden" name="formToken" value="${view.formToken}">
    ${content}
  </form>`

/**
 * The mistakes, with a link to each field that has to be corrected; the
 * summary takes the focus. A single field with mistakes shows them itself.
 */
export function errorSummary(view: View, form: FormState, fields: readonly Field[] = []): Html | undefined {
  const { messages } = form
  if (messages.length === 0 || fields.some(({ name }) => name === onlyMistaken(form))) return undefined
  const items = messages.map((message) =>
    message.field === undefined ? html`<p>${message.text}</p>` : html`<p><a href="#${message.field}">${withLabel(message, fields)}</a></p>`,
  )
  return html`
    <div class="notice problem" role="alert" tabindex="-1" autofocus>
      <h2>${view.texts.summary}</h2>
      ${items}
    </div>`
}

/** Adds the label of the field: "Fill in this field" alone does not say which. */
function withLabel({ field, text, isGeneral }: FormMessage, fields: readonly Field[]): string {
  const label = isGeneral ? fields.find(({ name }) => name === field)?.label : undefined
  return label === undefined ? text : `${label}: ${text}`
}

/** A notice that something has worked. */
export const successNotice = (text: string) => html`<div class="notice success" role="status"><p>${text}</p></div>`
