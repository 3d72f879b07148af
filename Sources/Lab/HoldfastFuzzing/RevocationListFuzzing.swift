import HoldfastTrust

/// The properties that must hold for revocation lists.
enum RevocationListFuzzing {
    static func list(_ bytes: [UInt8]) throws(BrokenPromise) {
        let list: RevocationList
        do throws(CertificateError) {
            list = try RevocationList(der: bytes)
        } catch {
            try CertificateFuzzing.check(error, bytes)
            return
        }
        _ = (list.issuerName, list.count, list.thisUpdate, list.nextUpdate, list.isDelta)
        try BrokenPromise.unless(list.der == bytes, "the list's bytes differ from the input")
        let serials = serials(in: bytes)
        // In an indirect list, the same serial number may occur for several issuers.
        guard !list.isIndirect else { return }
        let different = Set(serials)
        try BrokenPromise.unless(
            different.count == list.count, "the list has \(different.count) serial numbers, but \(list.count) entries")
        for serial in different {
            try BrokenPromise.unless(list.contains(serial: serial), "an entry of the list is not found")
            let other = serial + [0x5A]
            try BrokenPromise.unless(
                list.contains(serial: other) == different.contains(other), "a serial number is found wrongly")
        }
    }

    /// Reads the serial numbers of a valid list without Holdfast's parser.
    private static func serials(in list: [UInt8]) -> [[UInt8]] {
        guard let outer = content(list[...]), let body = content(outer) else { return [] }
        var rest = body
        if rest.first == 0x02 { rest = rest.dropFirst(size(rest)) }
        // The algorithm and the issuer.
        for _ in 0..<2 { rest = rest.dropFirst(size(rest)) }
        while rest.first == 0x17 || rest.first == 0x18 { rest = rest.dropFirst(size(rest)) }
        guard rest.first == 0x30, var entries = content(rest) else { return [] }
        var found: [[UInt8]] = []
        while !entries.isEmpty {
            if let entry = content(entries), let serial = content(entry) { found.append(Array(serial)) }
            entries = entries.dropFirst(max(1, size(entries)))
        }
        return found
    }

    /// The number of bytes of the first element.
    private static func size(_ bytes: ArraySlice<UInt8>) -> Int { CertificateFuzzing.length(bytes) ?? bytes.count }

    /// The content of the first element; `nil` if it is incomplete.
    private static func content(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.count >= 2 else { return nil }
        let second = bytes[bytes.startIndex + 1]
        let header = second < 0x80 ? 2 : 2 + Int(second & 0x7F)
        let whole = bytes.prefix(size(bytes))
        return whole.count >= header ? whole.dropFirst(header) : nil
    }
}
