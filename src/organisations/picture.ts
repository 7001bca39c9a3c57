import { createHash } from 'node:crypto'
import { imageSize } from 'image-size'
import { logoNotReadable, logoTooLarge, logoTooWide } from './refusals.ts'

/** A picture that pages and mails may show. */
export interface Picture {
  /** The SHA-256 of its bytes, in hexadecimal. */
  hash: string
  mediaType: keyof typeof extensions
  content: Buffer
}

const bytesMax = 256 * 1_024
const pixelsMax = 2_048

/** The formats that every browser and most mail programs show, with the ends of their file names. SVG can hold scripts. */
export const extensions = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const

const mediaTypes = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const

/** How each format begins. This is checked before the parser runs, which accepts many more formats. */
const beginnings: readonly ((content: Buffer) => boolean)[] = [
  (content) => content.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  (content) => content.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  (content) => content.toString('latin1', 0, 4) === 'RIFF' && content.toString('latin1', 8, 12) === 'WEBP',
]

/**
 * Reads a picture of at most 256 KiB and 2,048 pixels a side.
 *
 * @param base64 PNG, JPEG or WebP
 * @throws Problem `bad-request` naming `content`
 */
export function readPicture(base64: string): Picture {
  const content = Buffer.from(base64, 'base64')
  if (content.length > bytesMax) throw logoTooLarge()
  const { type, width, height } = measure(content)
  if (width > pixelsMax || height > pixelsMax) throw logoTooWide()
  return { hash: createHash('sha256').update(content).digest('hex'), mediaType: mediaTypes[type], content }
}

/** Whether {@link readPicture} accepts the text. */
export function isPicture(base64: string): boolean {
  try {
    return Boolean(readPicture(base64))
  } catch {
    return false
  }
}

function measure(content: Buffer): { type: keyof typeof mediaTypes; width: number; height: number } {
  if (!beginnings.some((begins) => begins(content))) throw logoNotReadable()
  try {
    const { type, width, height } = imageSize(content)
    if (type && Object.hasOwn(mediaTypes, type) && width > 0 && height > 0) return { type: type as keyof typeof mediaTypes, width, height }
  } catch {
    // The error says no more than that the picture cannot be read.
  }
  throw logoNotReadable()
}
