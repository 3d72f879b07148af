import SwiftASN1

/// Certificates in PEM text.
enum PEMText {
    /// The DER bytes of each certificate in the text, in order. Throws one sentence.
    static func certificates(in text: String) throws(CaseError) -> [[UInt8]] {
        let documents: [PEMDocument]
        do {
            documents = try PEMDocument.parseMultiple(pemString: text)
        } catch {
            throw CaseError("is not PEM")
        }
        guard !documents.isEmpty else { throw CaseError("holds no certificate") }
        guard documents.allSatisfy({ $0.discriminator == "CERTIFICATE" }) else {
            throw CaseError("holds something else than certificates")
        }
        return documents.map(\.derBytes)
    }
}
