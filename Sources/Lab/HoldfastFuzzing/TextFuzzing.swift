import HoldfastTrust

/// The properties that must hold for PEM, hosts and bundles.
enum TextFuzzing {
    static func pem(_ bytes: [UInt8]) throws(BrokenPromise) {
        _ = PEMReader.isPEM(bytes)
        var reader = PEMReader(bytes)
        var count = 0
        while let next = reader.next() {
            count += 1
            try BrokenPromise.unless(count <= PEMReader.countLimit + 1, "the reader returns more blocks than its limit")
            switch next {
            case .failure(let error): try CertificateFuzzing.check(error, bytes)
            case .success(let block):
                try BrokenPromise.unless(!block.der.isEmpty, "the reader returned an empty block")
                try BrokenPromise.unless(bytes.indices.contains(block.offset), "the block's offset is outside the text")
                try BrokenPromise.unless(block.line >= 1, "the block's line is less than 1")
            }
        }
    }

    static func host(_ bytes: [UInt8]) throws(BrokenPromise) {
        let text = String(decoding: bytes, as: UTF8.self)
        let host: CanonicalHost
        do throws(HostError) {
            host = try CanonicalHost(text)
        } catch {
            try BrokenPromise.unless(!error.reason.isEmpty, "the error has no reason")
            return
        }
        try BrokenPromise.unless(
            host.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !(0x41...0x5A).contains($0) },
            "the canonical host contains invalid bytes: \(host.text.utf8.map { $0 })")
        guard let again = try? CanonicalHost(host.text) else {
            throw BrokenPromise("the canonical host cannot be parsed: \(host)")
        }
        try BrokenPromise.unless(again == host, "the canonical form of \(host) is different: \(again)")
        if let pattern = try? HostPattern(text) { _ = pattern.covers(host) }
    }

    static func bundle(_ bytes: [UInt8]) throws(BrokenPromise) {
        if let halt = try? BundleHalt(unverified: bytes) {
            try BrokenPromise.unless(halt.bytes == bytes, "the halt's bytes differ from the input")
        }
        let bundle: SignedBundle
        do throws(BundleError) {
            bundle = try SignedBundle(bytes)
        } catch {
            try BrokenPromise.unless(!"\(error)".isEmpty, "the error has no text")
            return
        }
        try BrokenPromise.unless(bundle.bytes == bytes, "the bundle's bytes differ from the input")
    }
}
