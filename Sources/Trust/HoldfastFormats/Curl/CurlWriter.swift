import HoldfastTrust

/// Writes the value of curl's `--pinnedpubkey`.
enum CurlWriter {
    static func text(of domain: AdaptedDomain) -> String {
        domain.pins.map { "sha256//" + $0.digest.base64 }.joined(separator: ";") + "\n"
    }
}
