import HoldfastTrust

/// The properties that must hold for certificates and chains.
enum CertificateFuzzing {
    static func certificate(_ bytes: [UInt8]) throws(BrokenPromise) {
        let view: CertificateView
        do throws(CertificateError) {
            view = try CertificateView(der: bytes)
        } catch {
            try check(error, bytes)
            return
        }
        try BrokenPromise.unless(view.der == bytes, "the certificate's bytes differ from the input")
        try BrokenPromise.unless(
            view.spkiDigest == SPKIDigest(hashing: Array(view.subjectPublicKeyInfo)),
            "the SPKI digest is not the hash of the key")
        // Reading any property must not trap, whatever the certificate contains.
        _ = [view.subject, view.issuer, view.serialNumber, view.keyDescription, view.pem] + view.names + view.defects
        _ = (view.rawKeyDigest, view.notBefore, view.notAfter, view.isSelfIssued, PublicKeyInfo(view).digest)
        let again: CertificateView
        do throws(CertificateError) {
            again = try CertificateView(der: view.der)
        } catch {
            throw BrokenPromise("a parsed certificate cannot be parsed again: \(error)")
        }
        try BrokenPromise.unless(again == view, "parsing the certificate again gives a different value")
        // The certificate is the server's own, its own anchor and its own issuer.
        try judge(PresentedChain([view, view]), anchors: [view])
        try judge(PresentedChain([view]), anchors: [])
    }

    /// Splits the input into certificates. Each is as long as its outermost element says.
    static func chain(_ bytes: [UInt8]) throws(BrokenPromise) {
        var certificates: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty, certificates.count < 120 {
            let count = length(rest) ?? rest.count
            certificates.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        let chain = PresentedChain(der: certificates)
        try BrokenPromise.unless(chain.count == certificates.count, "the chain has fewer certificates than the input")
        try BrokenPromise.unless(
            chain.count > 100 || chain.certificates.count + chain.unreadable.count == chain.count,
            "a certificate is neither parsed nor reported as unreadable")
        // The last certificate is the root, whatever the chain is.
        try judge(chain, anchors: chain.certificates.suffix(1))
    }

    private static func judge(_ chain: PresentedChain, anchors: [CertificateView]) throws(BrokenPromise) {
        guard let host = try? CanonicalHost("chat.example.com") else { return }
        let subject = TrustSubject(host: host)
        let engine = TrustEngine(anchors: .only(anchors))
        let system = engine.evaluate(chain, for: subject, at: FuzzTarget.time)
        try BrokenPromise.unless(
            system.permitsConnection == (system.finding.code == .validPath),
            "\(system) permits a connection without a valid path")
        try BrokenPromise.unless(!anchors.isEmpty || !system.permitsConnection, "a chain is trusted without an anchor")
        // A policy must not permit a connection that system verification refuses.
        let pins = PinSet(chain.certificates.prefix(1).map { Pin($0.spkiDigest) } + [Pin(SPKIDigest(hashing: [0]))])
        let policy = try? PinningPolicy(name: "fuzzing", rules: [PinningRule(host: host, pins: pins)], backupPins: .off)
        guard let policy else { return }
        let pinned = engine.evaluate(chain, for: subject, at: FuzzTarget.time, under: policy)
        try BrokenPromise.unless(
            system.permitsConnection || !pinned.permitsConnection,
            "pins permit a chain that system trust refuses: \(pinned)")
        // The server's own key is pinned, so that every valid chain must match.
        try BrokenPromise.unless(
            pinned.permitsConnection == system.permitsConnection, "the leaf's own pin does not match: \(pinned)")
        _ = pinned.description
    }

    static func check(_ error: CertificateError, _ bytes: [UInt8]) throws(BrokenPromise) {
        try BrokenPromise.unless(!error.reason.isEmpty, "the error has no reason")
        if let offset = error.offset {
            try BrokenPromise.unless(
                (0...bytes.count).contains(offset), "the error's offset \(offset) is outside the input")
        }
    }

    /// The length of the first DER element; `nil` if its header is incomplete or invalid.
    static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(bytes.prefix(6))
        guard bytes.count >= 2 else { return nil }
        if bytes[1] < 0x80 { return 2 + Int(bytes[1]) }
        let count = Int(bytes[1] & 0x7F)
        guard (1...4).contains(count), bytes.count >= 2 + count else { return nil }
        return 2 + count + bytes[2..<2 + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
