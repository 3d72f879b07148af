/// Whether a certificate is for a host (RFC 9525): by its subject alternative names alone, never by a common name.
enum HostCheck {
    static func matches(_ certificate: CertificateView, _ host: CanonicalHost) -> Bool {
        let parsed = certificate.parsed
        switch host.kind {
        case .ipv4(let address), .ipv6(let address):
            // The address from the URL, never the one that the socket reached.
            return parsed.subjectAlternativeNames.contains { name in
                if case .ipAddress(let range) = name { parsed.der[range].elementsEqual(address) } else { false }
            }
        case .name:
            let text = Array(host.text.utf8)
            return parsed.subjectAlternativeNames.contains { name in
                if case .dns(let range) = name {
                    DNSName.matches(presented: parsed.der, in: range, host: text)
                } else {
                    false
                }
            }
        }
    }
}
