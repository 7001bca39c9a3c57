import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { black, type Colour, mix, readableOn, surfaces, textOn, white, writeColour } from '../../shared/colour.ts'

/** Gatehouse's own colour, for pages without an organisation and organisations without a colour. */
const ownColour: Colour = [55, 72, 196]

/** The styles of every hosted page. */
export const stylesheet = `${readFileSync(new URL('./pages.css', import.meta.url), 'utf8')}\n${colourStylesheet(ownColour)}`

export type Scheme = 'light' | 'dark'
export const schemes = ['light', 'dark'] as const satisfies readonly Scheme[]

/** Styles in a fixed scheme, whatever the user of this browser has chosen. */
export function inScheme(styles: string, scheme: Scheme): string {
  return styles
    .replaceAll(/@media \(prefers-color-scheme: ?dark\)/g, scheme === 'dark' ? '@media all' : '@media not all')
    .replace('color-scheme: light dark', `color-scheme: ${scheme}`)
}

/** The version changes with the styles, so that browsers may cache them for ever. */
export const stylesheetVersion = createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)

/** An organisation's colour in light and dark; text and icons in it have the contrast that reading takes. */
export function colourStylesheet(colour: Colour): string {
  return `:root{${colourProperties(colour, surfaces.light)}}\n@media (prefers-color-scheme:dark){:root{${colourProperties(colour, surfaces.dark)}}}\n`
}

function colourProperties(colour: Colour, surfaces: readonly Colour[]): string {
  const onAccent = textOn(colour)
  // Mix away from the text's colour, so that the text stays as readable.
  const pressed = mix(colour, onAccent === white ? black : white, 0.14)
  const properties: Record<string, Colour> = {
    accent: colour,
    'accent-pressed': pressed,
    'on-accent': onAccent,
    link: readableOn(colour, ...surfaces),
  }
  return Object.entries(properties)
    .map(([name, value]) => `--${name}:${writeColour(value)}`)
    .join(';')
}
