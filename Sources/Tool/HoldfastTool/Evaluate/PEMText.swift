import HoldfastTrust

/// Certificates in PEM text.
enum PEMText {
    /// The certificates of a text, at least one, in order. Throws one sentence about the text, without its name.
    static func certificates(in text: String) throws(CaseError) -> [CertificateView] {
        let bytes = Array(text.utf8)
        guard PEMReader.isPEM(bytes) else { throw CaseError("is not PEM") }
        do throws(CertificateError) {
            return try CertificateLoading.certificates(in: bytes)
        } catch {
            throw CaseError("cannot be read: \(error.reason)")
        }
    }

    /// The bytes of what a server sent: of each block of the text, or of the text itself if it has none.
    static func presented(_ text: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        guard let blocks = try? PEMReader.blocks(in: bytes), !blocks.isEmpty else { return [bytes] }
        return blocks.map(\.der)
    }
}
