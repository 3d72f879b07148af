import ArgumentParser
import HoldfastTestSupport
import HoldfastTrust

/// `holdfast-conformance list`.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Measures reading and using a large revocation list.",
        discussion: """
            Makes a list with the given number of entries, each with a random-looking serial number of 16 bytes and a \
            reason. Prints its size, the time to read it, and the time to verify it and look a server up in it. Exit \
            code 1 if a lookup gives a wrong result.
            """)

    @Option(help: "The number of entries.") var entries = 250_000

    func validate() throws {
        guard (1...500_000).contains(entries) else { throw ValidationError("--entries must be 1 to 500000.") }
    }

    func run() throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        let server = try factory.leaf(["example.com"], signedBy: root)
        var draft = RevocationListDraft(issuer: root)
        draft.entries = (0..<entries).map { number in
            let first = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
            let second = (UInt64(number) ^ 0xD6E8_FEB8_6659_FD93) &* 0xA076_1D64_78BD_642F
            let bytes = [first, second].flatMap { word in (0..<8).map { UInt8(word >> (8 * $0) & 0xFF) } }
            return .init(serial: [0x3A] + bytes.dropFirst(), reason: UInt8(number % 6))
        }
        let clock = ContinuousClock()
        let good = try draft.der()
        draft.revoked = [server]
        let bad = try draft.der()
        print("\(entries) entries, \(good.count) bytes")
        var parsed: [RevocationList] = []
        let reading = try clock.measure { parsed = try [good, bad].map { try RevocationList(der: $0) } }
        print("reading: \(reading / 2) for each list")
        for (list, isRevoked) in zip(parsed, [false, true]) {
            let engine = TrustEngine(anchors: .only([root.view]), revocationLists: [list])
            let subject = TrustSubject(host: try CanonicalHost("example.com"))
            var verdict: TrustVerdict?
            let time = clock.measure {
                verdict = engine.evaluate(PresentedChain([server.view]), for: subject, at: factory.now)
            }
            print("evaluating a chain with the list: \(time), \(verdict?.finding.code.rawValue ?? "")")
            guard list.count == entries + (isRevoked ? 1 : 0), verdict?.permitsConnection == !isRevoked else {
                throw ExitCode(1)
            }
        }
    }
}
