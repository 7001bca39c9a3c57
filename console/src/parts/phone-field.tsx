import type { ComponentProps } from 'react'
import { ApiTextField } from './api-field.tsx'

/** The pattern of a number with + and country code, with any grouping of the digits. */
const international = String.raw`\+[1-9](?:[ \(\).\-]*\d){6,14}`

/**
 * A telephone number. The API accepts any text, since records of other systems contain numbers as people wrote them: a stored one may
 * stay, and a new one has to be in international form.
 */
export function PhoneField({ stored, ...props }: ComponentProps<typeof ApiTextField> & { stored: string | null }) {
  return <ApiTextField {...props} type="tel" pattern={props.value === (stored ?? '') ? undefined : international} />
}
