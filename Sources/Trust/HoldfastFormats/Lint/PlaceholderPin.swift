import HoldfastTrust

/// Recognizes hashes that no key has: what people write until they have a pin, and what documentation prints.
///
/// A real SHA-256 looks like 32 random bytes. Each rule below holds for fewer than one of a billion random values.
enum PlaceholderPin {
    /// What the hash is instead of a real one; `nil` if it looks real.
    static func reason(for digest: SPKIDigest) -> String? {
        if let source = published[digest.base64] { return source }
        let bytes = digest.bytes
        let digits = Array(digest.base64.utf8.dropLast())
        if Set(digits).count <= 8 || Set(bytes).count <= 8 { return "a placeholder of few characters" }
        if isRegular(bytes) || isRegular(digits) { return "a placeholder that counts up or down" }
        let text = digest.base64.lowercased()
        if words.contains(where: { text.contains($0) }) { return "a placeholder in words" }
        if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return "text and not a hash" }
        return nil
    }

    /// Whether most bytes follow their predecessor at the same distance.
    private static func isRegular(_ bytes: [UInt8]) -> Bool {
        var counts: [UInt8: Int] = [:]
        for (first, second) in zip(bytes, bytes.dropFirst()) { counts[second &- first, default: 0] += 1 }
        return (counts.values.max() ?? 0) * 3 >= bytes.count * 2
    }

    private static let words = [
        "placeholder", "backuppin", "yourpin", "changeme", "replaceme", "examplepin", "publickey",
    ]

    /// Values that are in print.
    private static let published: [String: String] = [
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=": "the hash of no bytes at all",
        "AbpHGcgLb+kRsJGnwFEktk7uzpZOCcBY74+YBdrKVGs=": "the hash of an empty line",
        "d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM=": "an example of RFC 7469",
        "E9CZ9INDbd+2eRQozYqqbQ2yXLVKB9+xcprMF+44U1g=": "an example of RFC 7469",
        "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=": "an example of RFC 7469",
        "7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=": "an example of Android's documentation",
        "fwza0LRMXouZHRC8Ei+4PyuldPDcf3UKgO/04cDM1oE=": "an example of Android's documentation",
    ]
}
