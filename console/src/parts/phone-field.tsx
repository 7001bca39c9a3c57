import type { ComponentProps } from 'react'
import { ApiTextField } from './api-field.tsx'

/** With + and country code, however the digits are grouped. */
const international = String.raw`\+[1-9](?:[ \(\).\-]*\d){6,14}`

/**
 * A telephone number. The API takes any text, since records of other systems have numbers as people wrote them: what is stored may
 * stay, and what is typed has to be one that can be called from anywhere.
 */
export function PhoneField({ stored, ...props }: ComponentProps<typeof ApiTextField> & { stored: string | null }) {
  return <ApiTextField {...props} type="tel" pattern={props.value === (stored ?? '') ? undefined : international} />
}
