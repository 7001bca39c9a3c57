import process from 'node:process'
import { replaceUnseen, visibleText } from '../platform/text.ts'

type Stream = Pick<NodeJS.WriteStream, 'write'> & Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'hasColors'>>

/** Noncharacters of Unicode stand for styles until the text is cleaned, so every escape sequence that is printed is ours. */
const styles = {
  bold: ['\uFDD0', '\x1b[1m'],
  dim: ['\uFDD1', '\x1b[2m'],
  red: ['\uFDD2', '\x1b[31m'],
  green: ['\uFDD3', '\x1b[32m'],
  yellow: ['\uFDD4', '\x1b[33m'],
} as const
const end = '\uFDDF'
const marks = /[\uFDD0-\uFDDF]/g
const sequences = new Map<string, string>([...Object.values(styles), [end, '\x1b[0m']])

/** Text that a terminal with colours shows in a style. */
export const styled = (style: keyof typeof styles, text: string): string => `${styles[style][0]}${text}${end}`

/**
 * Prints text for people. All output of commands goes through here. Text from the database, a file, the network or the arguments
 * cannot move the cursor or hide anything: control characters, C0 and C1, and bidirectional ones are replaced.
 */
export function print(text: string, stream: Stream = process.stdout): void {
  const cleaned = text.split('\n').map(visibleLine).join('\n')
  const hasStyles = stream.isTTY === true && stream.hasColors?.() === true
  stream.write(cleaned.replaceAll(marks, (mark) => (hasStyles ? (sequences.get(mark) ?? '') : '')))
}

/** Prints lines on stderr: errors, and everything else that is not a result. */
export const printNotice = (...lines: readonly string[]): void => print(lines.map((line) => `${line}\n`).join(''), process.stderr)

const visibleLine = (line: string) => line.split('\t').map(visibleText).join('\t')

/** A document as JSON. `JSON.stringify` does not escape C1 controls and bidirectional characters, which a terminal would obey. */
export function jsonOf(document: unknown, indent?: number): string {
  const text = JSON.stringify(document, null, indent).replaceAll(marks, escaped)
  return replaceUnseen(text, (character) => (character === '\n' ? character : escaped(character)))
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
