import { lazyNamed } from '../base/lazy-named.ts'

/**
 * To be awaited before the API is asked for a secret: what shows it has to be there before there is one, since it cannot be read again.
 *
 * @throws when it could not be loaded
 */
export async function loadSecretOnce() {
  const [{ SecretOnce }] = await Promise.all([import('./secret-once.tsx'), import('../ui/loaded-dialog.tsx')])
  return { SecretOnce }
}

/** `SecretOnce` of a page that few users make a secret on. */
export const SecretOnceLater = lazyNamed(loadSecretOnce, 'SecretOnce')
