/**
 * What the hosted pages make of an organisation's colour, so that it can be told before it is saved. The rule is that of
 * src/pages/colour.ts; a test compares both.
 */
export type Colour = readonly [number, number, number]

const white: Colour = [255, 255, 255]
const black: Colour = [0, 0, 0]
const readable = 4.5

/** What text stands on in the hosted pages. */
export const surfaces: Record<'light' | 'dark', readonly Colour[]> = {
  light: [white, [244, 245, 248]],
  dark: [
    [23, 26, 33],
    [13, 15, 20],
  ],
}

/** A colour as `#rgb` or `#rrggbb`; undefined for any other text. */
export function parseColour(text: string): Colour | undefined {
  const digits = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(text)
  const hex = digits?.[2] ?? digits?.[1]?.replaceAll(/./g, '$&$&')
  return hex === undefined ? undefined : (hex.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) as unknown as Colour)
}

export const writeColour = (colour: Colour): string => `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`

/** How well a colour can be read where it is worst. */
export const leastContrast = (colour: Colour, backgrounds: readonly Colour[]): number =>
  Math.min(...backgrounds.map((background) => contrastOf(colour, background)))

/** From 1 to 21: WCAG 2.2, "contrast ratio". */
export function contrastOf(one: Colour, other: Colour): number {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].sort((left, right) => right - left) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** The colour of the text on a button of this colour. */
export const textOn = (colour: Colour): Colour => (contrastOf(colour, white) >= contrastOf(colour, black) ? white : black)
export const isWhite = (colour: Colour): boolean => colour === white

/** The colour of links: made darker or lighter just as far as it takes to be read on each of the backgrounds. */
export function linkColour(colour: Colour, backgrounds: readonly Colour[]): Colour {
  const towards = textOn(backgrounds[0] ?? white)
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = colour.map((channel, index) =>
      Math.round(channel + ((towards[index] as number) - channel) * share),
    ) as unknown as Colour
    if (leastContrast(candidate, backgrounds) >= readable) return candidate
  }
  return towards
}

function luminanceOf(colour: Colour): number {
  const [red, green, blue] = colour.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
