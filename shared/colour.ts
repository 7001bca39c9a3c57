/** Red, green and blue, each from 0 to 255. */
export type Colour = readonly [number, number, number]

export const white: Colour = [255, 255, 255]
export const black: Colour = [0, 0, 0]

/** The backgrounds of text in the hosted pages; the same as in src/pages/pages.css. */
export const surfaces: Readonly<Record<'light' | 'dark', readonly Colour[]>> = {
  light: [white, [244, 245, 248]],
  dark: [
    [23, 26, 33],
    [13, 15, 20],
  ],
}

/** The contrast that makes text readable: WCAG 2.2 §1.4.3. */
const readableContrast = 4.5

/** A colour as `#rgb` or `#rrggbb`; undefined for any other text. */
export function parseColour(value: unknown): Colour | undefined {
  if (typeof value !== 'string') return undefined
  const digits = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(value.trim())
  const hex = digits?.[2] ?? digits?.[1]?.replace(/./g, '$&$&')
  return hex === undefined ? undefined : (hex.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) as unknown as Colour)
}

export function writeColour(colour: Colour): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** The contrast of two colours, from 1 to 21: WCAG 2.2, "contrast ratio". */
export function contrastOf(one: Colour, other: Colour): number {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].sort((left, right) => right - left) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** The contrast of a colour on the background where it is lowest. */
export const leastContrast = (colour: Colour, backgrounds: readonly Colour[]): number =>
  Math.min(...backgrounds.map((background) => contrastOf(colour, background)))

/** White or black, whichever has more contrast on the colour; the better of the two always reaches 4.5. */
export function textOn(colour: Colour): Colour {
  return contrastOf(colour, white) >= contrastOf(colour, black) ? white : black
}

/** The colour, made just dark or light enough to be readable on each of the backgrounds. */
export function readableOn(colour: Colour, ...backgrounds: readonly Colour[]): Colour {
  const isReadable = (candidate: Colour) => leastContrast(candidate, backgrounds) >= readableContrast
  const towards = textOn(backgrounds[0] ?? white)
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mix(colour, towards, share)
    if (isReadable(candidate)) return candidate
  }
  return towards
}

/** @param share the share of the other colour, from 0 to 1 */
export function mix(colour: Colour, other: Colour, share: number): Colour {
  return colour.map((channel, index) => Math.round(channel + ((other[index] as number) - channel) * share)) as unknown as Colour
}

function luminanceOf(colour: Colour): number {
  const [red, green, blue] = colour.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
