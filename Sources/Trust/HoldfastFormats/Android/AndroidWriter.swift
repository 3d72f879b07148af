import HoldfastTrust

/// Writes Android's network security configuration; TrustKit-Android's element where something is only reported, or
/// reported somewhere.
enum AndroidWriter {
    static func text(of domains: [AdaptedDomain]) -> String {
        var writer = XMLWriter()
        // One configuration for each host: TrustKit-Android reads only the last host of one.
        writer.element("network-security-config") { writer in
            for domain in domains { write(domain, to: &writer) }
        }
        return writer.text
    }

    private static func write(_ domain: AdaptedDomain, to writer: inout XMLWriter) {
        writer.element("domain-config") { writer in
            let includes = domain.pattern.depth == .apexAndAnyDepth
            writer.element(
                "domain", includes ? [("includeSubdomains", "true")] : [], text: domain.pattern.host.text)
            let expiration = domain.expires.map { [("expiration", String($0.description.prefix(10)))] } ?? []
            if domain.isExcluded { return writer.empty("pin-set") }
            writer.element("pin-set", expiration) { writer in
                for pin in domain.pins { writer.element("pin", [("digest", "SHA-256")], text: pin.digest.base64) }
            }
            guard domain.enforcement == .reportOnly || !domain.reportURIs.isEmpty else { return }
            writer.element(
                "trustkit-config",
                [
                    ("enforcePinning", domain.enforcement == .enforce ? "true" : "false"),
                    ("disableDefaultReportUri", "true"),
                ]
            ) { writer in
                for uri in domain.reportURIs { writer.element("report-uri", text: uri) }
            }
        }
    }
}
