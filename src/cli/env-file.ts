import { readFileSync } from 'node:fs'
import process from 'node:process'
// As a whole: releases of Node that are too old, and are told so, have no `parseEnv`.
import * as util from 'node:util'

/**
 * Adds the variables of files to the environment, which takes precedence; of the files, the last one does. Node has read the same options
 * before, with rules of its own: it cuts a value at a number sign, for instance. What has come in that way is replaced.
 *
 * @throws an error of the file system
 */
export function loadEnvFiles(files: readonly string[]): void {
  const contents = files.map((file) => readFileSync(file, 'utf8'))
  const variables = new Map(contents.flatMap((content) => [...parseEnvFile(content)]))
  const ofNode: Record<string, string | undefined> = Object.assign({}, ...contents.map((content) => util.parseEnv(content)))
  for (const [name, value] of Object.entries(ofNode)) if (process.env[name] === value && !variables.has(name)) delete process.env[name]
  for (const [name, value] of variables) if ([undefined, ofNode[name]].includes(process.env[name])) process.env[name] = value
}

/** A comment, or a name and what follows it: parts in quotes, and without quotes up to the end of the line. */
const form =
  /[^\S\n]*(?:[#;].*|(?:export[^\S\n]+)?([^\s=#;][^=\n]*)=[^\S\n]*((?:'[^']*'[^\S\n]*|"(?:\\[\s\S]|[^"\\])*"[^\S\n]*)*)((?:\\[\s\S]|[^\\\n])*))/gy

/** Reads variables as systemd does: `#` and `;` begin a comment at the start of a line alone, and a backslash keeps the next character. */
function parseEnvFile(content: string): Map<string, string> {
  const variables = new Map<string, string>()
  const text = content.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  for (let at = 0; at < text.length; ) {
    form.lastIndex = at
    const [all, name, quoted = '', plain = ''] = form.exec(text) ?? []
    if (name !== undefined) variables.set(name.trim(), `${unquoted(quoted)}${unescaped(plain).trimEnd()}`)
    const end = text.indexOf('\n', at + (all?.length ?? 0))
    at = end === -1 ? text.length : end + 1
  }
  return variables
}

const unquoted = (parts: string) =>
  parts.replaceAll(
    /'([^']*)'\s*|"((?:\\[\s\S]|[^"\\])*)"\s*/g,
    (_, single?: string, double = '') =>
      single ??
      double.replaceAll(/\\([\s\S])/g, (both: string, character: string) =>
        character === '\n' ? '' : /["\\`$]/.test(character) ? character : both,
      ),
  )

const unescaped = (part: string) => part.replaceAll(/\\([\s\S])/g, (_, character: string) => (character === '\n' ? '' : character))
