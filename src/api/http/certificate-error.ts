/**
 * Whether the system's code of a failed connection says that a certificate is not trusted, is out of date or belongs to
 * another name. The codes are those of Node and OpenSSL: `CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`.
 */
export function isCertificateError(code = ''): boolean {
  return /CERT|SELF_SIGNED|ISSUER|ALTNAME|LEAF_SIGNATURE|INVALID_CA/.test(code)
}
