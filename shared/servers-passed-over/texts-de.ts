import type { PassedOverCode } from './texts.ts'

export const germanPassedOver: Readonly<Record<PassedOverCode, string>> = {
  silent: '„{reason}“',
  'of-another-system': 'er gehört zu einem anderen System als {server}',
  'of-another-system-than-before': 'er gehört zu einem anderen System als bisher',
  replica: 'er ist ein Replikat',
  'read-only': 'er lässt sich nur lesen',
  'former-primary': 'er ist ein früherer primärer Server, auf Zeitlinie {timeline}, und {newest} hat begonnen',
  'not-alone': 'er ist nicht der einzige, der Schreibvorgänge annimmt: Stoppen Sie den falschen',
  'beside-another-system': 'ein anderer gehört zu einem anderen System',
}
