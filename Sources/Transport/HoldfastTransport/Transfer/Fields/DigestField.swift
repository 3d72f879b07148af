import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `Repr-Digest` and `Content-Digest` (RFC 9530): dictionaries of algorithm and digest, `sha-256=:BASE64:`.
///
/// Digests by algorithms that are not known here are passed over, as section 5 of the RFC lets a recipient do; one that is known and
/// cannot be read is an error, since a server that announces a digest wants it to count.
enum DigestField {
    /// The digest of the whole representation, whatever part of it the message carries.
    static let representation = "Repr-Digest"
    /// The digest of what the message carries.
    static let content = "Content-Digest"

    /// The digests that a field of a response announces.
    static func read(_ name: String, of fields: HTTPFields) throws(TransferError) -> [Checksum] {
        guard let name = HTTPField.Name(name) else { return [] }
        var found: [Checksum.Algorithm: Checksum] = [:]
        for value in fields[values: name] {
            for member in value.listElements {
                guard let checksum = try read(member, in: name) else { continue }
                // A later member of the same key replaces an earlier one (RFC 9651, 4.2.2): two that differ are a contradiction.
                if let earlier = found[checksum.algorithm], earlier != checksum {
                    throw malformed(name, "it gives two digests for \(checksum.algorithm.rawValue)")
                }
                found[checksum.algorithm] = checksum
            }
        }
        return found.values.sorted { $0.algorithm < $1.algorithm }
    }

    /// The value that announces digests.
    static func value(_ checksums: [Checksum]) -> String {
        checksums.map { "\($0.algorithm.rawValue)=:\(Data($0.bytes).base64EncodedString()):" }.joined(separator: ", ")
    }

    private static func read(_ member: String, in name: HTTPField.Name) throws(TransferError) -> Checksum? {
        guard let equals = member.firstIndex(of: "=") else { throw malformed(name, "a member has no value") }
        let key = member[..<equals]
        guard !key.isEmpty, key.utf8.allSatisfy(isKeyCharacter) else { throw malformed(name, "a key is malformed") }
        guard let algorithm = Checksum.Algorithm(rawValue: String(key)) else { return nil }
        let value = member[member.index(after: equals)...]
        guard value.count >= 2, value.hasPrefix(":"), value.hasSuffix(":"),
            let data = Data(base64Encoded: String(value.dropFirst().dropLast())),
            let checksum = Checksum(algorithm, bytes: Array(data))
        else { throw malformed(name, "the digest for \(algorithm.rawValue) is no byte sequence of its length") }
        return checksum
    }

    private static func isKeyCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "*"): true
        default: false
        }
    }

    private static func malformed(_ name: HTTPField.Name, _ what: String) -> TransferError {
        TransferError(.malformedField, "\(name) cannot be read: \(what).")
    }
}
