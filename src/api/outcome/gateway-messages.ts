/** The meaning of a gateway's own error page: the settings are wrong, not the data. */
interface GatewayMessage {
  readonly says: string
  readonly hint: string
}

const wantsCertificate: GatewayMessage = {
  says: 'The server requires a client certificate, and payroll does not send one',
  hint: 'Ask the people who run the service for an address that needs only the key.',
}

const wantsHttps: GatewayMessage = {
  says: 'The base address begins with http://, but this port accepts only https',
  hint: 'Correct it: payroll profiles set <name> --base-url https://…',
}

/** Error texts of nginx, Apache and Go in the body of a 400. */
const sentences: readonly (readonly [RegExp, GatewayMessage])[] = [
  [/No required SSL certificate was sent|The SSL certificate error/i, wantsCertificate],
  [/plain HTTP request was sent to HTTPS port/i, wantsHttps],
  [/speaking plain HTTP to an SSL-enabled server port/i, wantsHttps],
  [/Client sent an HTTP request to an HTTPS server/i, wantsHttps],
]

/** The meaning of a 400 that a gateway sent instead of the service; undefined for any other text. */
export function gatewayMessage(text: string): GatewayMessage | undefined {
  return sentences.find(([sentence]) => sentence.test(text))?.[1]
}
