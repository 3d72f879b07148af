import HTTPTypes
import HoldfastTrust

/// The fields `Repr-Digest` and `Content-Digest` (RFC 9530): dictionaries of algorithms and digests,
/// `sha-256=:BASE64:`.
///
/// Digests with unknown algorithms are ignored, as RFC 9530, 5 permits. A malformed digest with a known algorithm is an
/// error, because the server expects it to be checked.
enum DigestField {
    /// The digest of the whole representation, even if the message contains only a part of it.
    static let representation = "Repr-Digest"
    /// The digest of the content of the message.
    static let content = "Content-Digest"

    /// Returns the digests in a field of a response.
    static func read(_ name: String, of fields: HTTPFields) throws(TransferError) -> [Checksum] {
        guard let name = HTTPField.Name(name) else { return [] }
        var found: [Checksum.Algorithm: Checksum] = [:]
        for value in fields[values: name] {
            for member in value.listElements {
                guard let checksum = try read(member, in: name) else { continue }
                // A later member replaces an earlier one with the same key (RFC 9651, 4.2.2). Two different digests are
                // a contradiction.
                if let earlier = found[checksum.algorithm], earlier != checksum {
                    throw malformed(name, "it has two digests for \(checksum.algorithm.rawValue)")
                }
                found[checksum.algorithm] = checksum
            }
        }
        return found.values.sorted { $0.algorithm < $1.algorithm }
    }

    /// Returns the field value for a list of digests.
    static func value(_ checksums: [Checksum]) -> String {
        checksums.map { "\($0.algorithm.rawValue)=:\($0.bytes.base64):" }.joined(separator: ", ")
    }

    private static func read(_ member: String, in name: HTTPField.Name) throws(TransferError) -> Checksum? {
        guard let equals = member.firstIndex(of: "=") else { throw malformed(name, "a member has no value") }
        let key = member[..<equals]
        guard !key.isEmpty, key.utf8.allSatisfy(isKeyCharacter) else { throw malformed(name, "a key is malformed") }
        guard let algorithm = Checksum.Algorithm(rawValue: String(key)) else { return nil }
        let value = member[member.index(after: equals)...]
        guard value.count >= 2, value.hasPrefix(":"), value.hasSuffix(":"),
            let bytes = [UInt8](base64: String(value.dropFirst().dropLast())),
            let checksum = Checksum(algorithm, bytes: bytes)
        else { throw malformed(name, "the \(algorithm.rawValue) digest is not a byte sequence of the right length") }
        return checksum
    }

    private static func isKeyCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "*"): true
        default: false
        }
    }

    private static func malformed(_ name: HTTPField.Name, _ what: String) -> TransferError {
        TransferError(.malformedField, "\(name) is malformed: \(what).")
    }
}
