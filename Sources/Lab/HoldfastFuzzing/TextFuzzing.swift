import HoldfastTrust

/// What must hold for PEM, hosts and bundles.
enum TextFuzzing {
    static func pem(_ bytes: [UInt8]) throws(BrokenPromise) {
        _ = PEMReader.isPEM(bytes)
        var reader = PEMReader(bytes)
        var count = 0
        while let next = reader.next() {
            count += 1
            try BrokenPromise.unless(count <= PEMReader.countLimit + 1, "the blocks do not end")
            switch next {
            case .failure(let error): try CertificateFuzzing.check(error, bytes)
            case .success(let block):
                try BrokenPromise.unless(!block.der.isEmpty, "an empty block was read")
                try BrokenPromise.unless(bytes.indices.contains(block.offset), "a block lies outside of the text")
                try BrokenPromise.unless(block.line >= 1, "a block lies before the first line")
            }
        }
    }

    static func host(_ bytes: [UInt8]) throws(BrokenPromise) {
        let text = String(decoding: bytes, as: UTF8.self)
        let host: CanonicalHost
        do throws(HostError) {
            host = try CanonicalHost(text)
        } catch {
            try BrokenPromise.unless(!error.reason.isEmpty, "an error has no reason")
            return
        }
        try BrokenPromise.unless(
            host.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !(0x41...0x5A).contains($0) },
            "a canonical host holds other bytes: \(host.text.utf8.map { $0 })")
        guard let again = try? CanonicalHost(host.text) else {
            throw BrokenPromise("a canonical host is not read again: \(host)")
        }
        try BrokenPromise.unless(again == host, "the canonical form of \(host) is another one: \(again)")
        if let pattern = try? HostPattern(text) { _ = pattern.covers(host) }
    }

    static func bundle(_ bytes: [UInt8]) throws(BrokenPromise) {
        let bundle: SignedBundle
        do throws(BundleError) {
            bundle = try SignedBundle(bytes)
        } catch {
            try BrokenPromise.unless(!"\(error)".isEmpty, "an error has no reason")
            return
        }
        try BrokenPromise.unless(bundle.bytes == bytes, "the bytes of a bundle are not those that were read")
    }
}
