import HoldfastTestSupport
@testable import HoldfastTrust

/// Changes bytes of certificates and signs them again, to test the reader with certificates whose signature is valid.
enum Resigned {
    /// Returns the certificate with a changed to-be-signed part, signed with `key`.
    static func certificate(_ original: Identity, by key: Key, edit: (inout [UInt8]) throws -> Void) throws -> [UInt8] {
        var body = Array(original.certificateDER[original.view.parsed.outline.tbs])
        try edit(&body)
        return DERBytes.sequence([body, key.signatureAlgorithm(nil), DERBytes.bitString(try key.sign(body))])
    }

    /// Returns the certificate with a sequence of bytes replaced by another one of the same length.
    static func replacing(
        _ old: [UInt8], with new: [UInt8], in original: Identity, by key: Key
    ) throws -> [UInt8] {
        precondition(old.count == new.count)
        return try certificate(original, by: key) { body in
            guard let range = body.firstRange(of: old) else { throw Missing() }
            body.replaceSubrange(range, with: new)
        }
    }

    struct Missing: Error {}
}
