import Bowser from 'bowser'
import { z } from 'zod'

export const Device = z
  .object({
    browser: z.string().nullable().meta({ description: 'Name of the browser, if known', example: 'Firefox' }),
    os: z.string().nullable().meta({ description: 'Name of the operating system, if known', example: 'Linux' }),
    type: z.string().nullable().meta({ description: 'desktop, mobile, tablet …, if known', example: 'desktop' }),
  })
  .meta({ description: 'What the user agent says of itself', example: { browser: 'Firefox', os: 'Windows', type: 'desktop' } })
export type Device = z.infer<typeof Device>

export function deviceOf(userAgent: string): Device {
  if (userAgent === '') return { browser: null, os: null, type: null }
  const { browser, os, platform } = Bowser.parse(userAgent)
  return { browser: browser.name || null, os: os.name || null, type: platform.type || null }
}
