import { type Html, html } from '../platform/http/html.ts'

const quietZone = 2

/** A QR code (ISO 18004) as a drawing of one path, dark on light. */
export async function qrCode(text: string, label: string): Promise<Html> {
  const { default: QRCode } = await import('qrcode')
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' })
  const { size } = modules
  let path = ''
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) if (modules.get(y, x)) path += `M${x + quietZone} ${y + quietZone}h1v1h-1z`
  }
  const width = size + 2 * quietZone
  return html`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${label}" viewBox="0 0 ${width} ${width}" shape-rendering="crispEdges"><rect width="${width}" height="${width}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}
