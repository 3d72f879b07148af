#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What stands in the small file beside the part of a download: all that is needed to ask for the rest.
///
/// URLs may hold credentials, so that only their digests are kept.
struct PartRecord: Hashable, Sendable, Codable {
    /// The most bytes that are read back.
    static let limit = 16 * 1024
    private static let currentFormat = 1

    private var format = currentFormat
    /// The digest of the URL that was asked for.
    var requested: String
    /// The digest of the URL that answered, after redirects: a tag is unique for one URL alone.
    var answered: String
    var validator: EntityValidator
    /// How many bytes the whole has, where that is known.
    var total: Int64?
    /// The digests of the whole that the server has announced.
    var digests: [String: String] = [:]

    init(requested: String, answered: String, validator: EntityValidator, total: Int64?, digests: [Checksum]) {
        self.requested = requested
        self.answered = answered
        self.validator = validator
        self.total = total
        self.digests = Dictionary(uniqueKeysWithValues: digests.map { ($0.algorithm.rawValue, $0.hex) })
    }

    /// Reads a record; `nil` if it is none of this format, or what it says cannot be.
    init?(_ bytes: [UInt8]) {
        guard let record = try? JSONDecoder().decode(PartRecord.self, from: Data(bytes)),
            record.format == Self.currentFormat, record.validator.isValid, record.total ?? 0 >= 0,
            record.checksums.count == record.digests.count
        else { return nil }
        self = record
    }

    /// The digests; those that cannot be read are missing.
    var checksums: [Checksum] {
        digests.compactMap { name, hex in
            Checksum.Algorithm(rawValue: name).flatMap { Checksum($0, hex: hex) }
        }.sorted { $0.algorithm < $1.algorithm }
    }

    /// As it is written.
    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Strings and numbers alone: encoding cannot fail, and an empty file would be no record.
        return (try? encoder.encode(self)).map { Array($0) } ?? []
    }

    /// The digest of a URL.
    static func digest(of url: String) -> String {
        Checksum(.sha256, bytes: ContentHasher.digest(Array(url.utf8), .sha256))?.hex ?? ""
    }
}
