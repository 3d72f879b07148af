#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The record of a partial download, which contains all data for requesting the remaining bytes.
///
/// URLs may contain credentials, so only their digests are stored.
struct PartRecord: Hashable, Sendable, Codable {
    /// The maximum size of a record that is read, in bytes. A larger one counts as missing.
    static let limit = 16 * 1024
    private static let currentFormat = 1

    private var format = currentFormat
    /// The digest of the requested URL.
    var requested: String
    /// The digest of the URL that responded, after redirects. An entity tag is unique only for a single URL.
    var answered: String
    var validator: EntityValidator
    /// The total length of the file, if known.
    var total: Int64?
    /// The digests of the whole file that the server announced.
    var digests: [String: String] = [:]

    init(requested: String, answered: String, validator: EntityValidator, total: Int64?, digests: [Checksum]) {
        self.requested = requested
        self.answered = answered
        self.validator = validator
        self.total = total
        self.digests = Dictionary(uniqueKeysWithValues: digests.map { ($0.algorithm.rawValue, $0.hex) })
    }

    /// Parses a record; `nil` if it has another format or invalid values.
    init?(_ bytes: [UInt8]) {
        guard let record = try? JSONDecoder().decode(PartRecord.self, from: Data(bytes)),
            record.format == Self.currentFormat, record.validator.isValid, record.total ?? 0 >= 0,
            record.checksums.count == record.digests.count
        else { return nil }
        self = record
    }

    /// The digests, without those that cannot be parsed.
    var checksums: [Checksum] {
        digests.compactMap { name, hex in
            Checksum.Algorithm(rawValue: name).flatMap { Checksum($0, hex: hex) }
        }.sorted { $0.algorithm < $1.algorithm }
    }

    /// The encoded record.
    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Encoding strings and numbers cannot fail. An empty file would not be a valid record.
        return (try? encoder.encode(self)).map { Array($0) } ?? []
    }

    /// Returns the digest of a URL.
    static func digest(of url: String) -> String {
        Checksum(.sha256, bytes: ContentHasher.digest(Array(url.utf8), .sha256))?.hex ?? ""
    }
}
