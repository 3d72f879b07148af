import HoldfastFormats
import HoldfastTestSupport
import HoldfastTrust
import Testing

@Suite("Lint") struct PolicyLintTests {
    private let two = "\"pins\": [\"\(TestPins.one)\", \"\(TestPins.two)\"]"
    private let now = CertificateFactory.referenceTime

    private func lint(
        _ domains: String, _ more: String = ", \"backupPins\": \"off\"", chain: PresentedChain? = nil,
        roots: [CertificateView] = []
    ) -> Set<String> {
        let document = PolicyFormats.read(
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [\(domains)]\(more)}", as: .holdfast)
        return PolicyLint.check(document, at: now, chain: chain, roots: roots).codes
    }

    private func pinned(_ hash: SHA256Hash, _ more: String = "") -> String {
        "{\"host\": \"example.com\", \"pins\": [{\"sha256\": \"\(hash.base64)\"\(more)}, \"\(TestPins.two)\"]}"
    }

    @Test func validPolicyHasNoFindings() {
        #expect(
            lint(
                """
                {\"host\": \"example.com\", \"includesSubdomains\": true, \(two)}, {\"host\": \"a.example.com\", \
                \"excluded\": true}
                """
            ).isEmpty)
    }

    @Test("a rule that only requires certificate timestamps has no findings")
    func timestampsWithoutPins() {
        let rule = "{\"host\": \"example.com\", \"includesSubdomains\": true, \"transparency\": \"chrome\"}"
        #expect(lint(rule).isEmpty)
        #expect(lint(rule + ", {\"host\": \"a.example.com\", \"excluded\": true}").isEmpty)
        #expect(lint(rule + ", {\"host\": \"b.example.org\", \"excluded\": true}") == ["unreachable-rule"])
    }

    @Test("an empty policy is an error")
    func emptyPolicies() {
        #expect(lint("") == ["empty-policy"])
        #expect(lint("{\"host\": \"example.com\", \"excluded\": true}").contains("empty-policy"))
        #expect(lint("", ", \"unlistedHosts\": \"refuse\"").isEmpty)
        #expect(lint("", ", \"deny\": [\"\(TestPins.one)\"]").isEmpty)
    }

    @Test func backupPins() {
        let one = "{\"host\": \"example.com\", \"pins\": [\"\(TestPins.one)\"]}"
        #expect(lint(one) == ["missing-backup-pin", "single-pin"])
        #expect(lint("\(one), {\"host\": \"example.org\", \(two)}") == ["missing-backup-pin"])
        let twice = "{\"host\": \"example.com\", \"pins\": [\"\(TestPins.one)\", \"\(TestPins.one)\"]}"
        #expect(lint(twice) == ["missing-backup-pin", "single-pin", "duplicate-pin"])
        #expect(lint("{\"host\": \"example.com\", \"pins\": [], \"requiredScopes\": [\"ca\"]}") == ["no-pins"])
        let document = PolicyFormats.read("{\"holdfast\": 1, \"name\": \"t\", \"domains\": [\(one)]}", as: .holdfast)
        let severities = PolicyLint.check(document, at: now).filter { $0.code == .missingBackupPin }.map(\.severity)
        #expect(severities == [.error])
    }

    @Test func leafAndCertificatePins() {
        let leaf = "{\"sha256\": \"\(TestPins.one)\", \"scope\": \"leaf\"}"
        #expect(lint("{\"host\": \"example.com\", \"pins\": [\(leaf)]}").contains("leaf-pins-only"))
        #expect(
            !lint("{\"host\": \"example.com\", \"pins\": [\(leaf), \"\(TestPins.two)\"]}").contains("leaf-pins-only"))
        let certificates =
            """
            {\"sha256\": \"\(TestPins.one)\", \"domain\": \"certificate\"}, {\"sha256\": \"\(TestPins.two)\", \
            \"domain\": \"certificate\"}
            """
        #expect(lint("{\"host\": \"example.com\", \"pins\": [\(certificates)]}") == ["certificate-pins-only"])
        let raw = "{\"sha256\": \"\(TestPins.one)\", \"domain\": \"rawKey\"}"
        #expect(lint("{\"host\": \"example.com\", \"pins\": [\(raw), \"\(TestPins.two)\"]}") == ["raw-key-pin"])
    }

    @Test func expiry() {
        func rule(_ days: Int64) -> String {
            "{\"host\": \"example.com\", \(two), \"expires\": \"\(now.advanced(bySeconds: days * 86_400))\"}"
        }
        #expect(lint(rule(-1)) == ["expired"])
        #expect(lint(rule(0)) == ["expired"])
        #expect(lint(rule(30)) == ["expires-soon"])
        #expect(lint(rule(31)).isEmpty)
    }

    @Test func hosts() {
        #expect(lint("{\"host\": \"Example.COM.\", \(two)}") == ["other-spelling"])
        #expect(
            lint("{\"host\": \"example.com\", \(two)}, {\"host\": \"EXAMPLE.com\", \(two)}") == [
                "duplicate-host", "other-spelling",
            ])
        #expect(lint("{\"host\": \"co.uk\", \"includesSubdomains\": true, \(two)}") == ["public-suffix"])
        #expect(lint("{\"host\": \"com\", \"depth\": \"anyDepth\", \(two)}") == ["public-suffix"])
        #expect(
            lint("{\"host\": \"co.uk\", \(two)}, {\"host\": \"corp\", \"includesSubdomains\": true, \(two)}").isEmpty)
    }

    @Test func ineffectiveRules() {
        #expect(
            lint(
                """
                {\"host\": \"a.example\", \(two)}, {\"host\": \"*.a.example\", \(two)}, {\"host\": \"a.example\", \
                \"depth\": \"apexAndOneLabel\", \(two)}
                """
            )
                == ["unreachable-rule"])
        #expect(
            lint("{\"host\": \"a.example\", \(two)}, {\"host\": \"b.example\", \"excluded\": true}") == [
                "unreachable-rule"
            ])
        #expect(
            lint("{\"host\": \"a.example\", \"includesSubdomains\": true, \(two)}, {\"host\": \"x.a.example\", \(two)}")
                == ["redundant-rule"])
        #expect(
            lint("{\"host\": \"a.example\", \(two)}", ", \"pinSets\": {\"x\": [\"\(TestPins.one)\"]}") == [
                "unused-pin-set"
            ])
        #expect(lint("{\"host\": \"a.example\", \(two)}", ", \"deny\": [\"\(TestPins.one)\"]") == ["denied-pin"])
    }

    @Test func reports() {
        let rule = "\"host\": \"a.example\", \(two), \"enforcement\": \"reportOnly\""
        #expect(lint("{\(rule)}") == ["report-only"])
        #expect(lint("{\(rule), \"reportURIs\": [\"http://r.example/\"]}") == ["cleartext-report"])
    }

    @Test func hashesOfOtherInputs() throws {
        let world = try World()
        let chain = PresentedChain(der: [world.leaf.certificateDER, world.root.certificateDER])
        let leaf = world.leaf.view
        #expect(lint(pinned(leaf.spkiDigest.sha256), chain: chain).isEmpty)
        #expect(lint(pinned(leaf.rawKeyDigest.sha256), chain: chain) == ["raw-key-hash", "pin-not-in-chain"])
        #expect(lint(pinned(leaf.certificateDigest.sha256), chain: chain) == ["certificate-hash", "pin-not-in-chain"])
        #expect(
            lint(pinned(leaf.spkiDigest.sha256, ", \"domain\": \"rawKey\""), chain: chain) == [
                "spki-hash", "pin-not-in-chain", "raw-key-pin",
            ])
        #expect(lint(pinned(leaf.rawKeyDigest.sha256, ", \"domain\": \"rawKey\""), chain: chain) == ["raw-key-pin"])
        let both =
            """
            {\"host\": \"example.com\", \"pins\": [\"\(leaf.spkiDigest.base64)\", \
            \"\(world.root.view.spkiDigest.base64)\"]}
            """
        #expect(lint(both, chain: chain) == ["backup-in-chain"])
        #expect(lint(pinned(world.root.view.spkiDigest.sha256), roots: [world.root.view]) == ["system-root-pin"])
    }

    /// A result without findings would suggest that the chain was checked.
    @Test func unmatchedChainIsReported() throws {
        let factory = CertificateFactory()
        let leaf = try factory.leaf(["*.example.org", "example.org"], signedBy: nil)
        let chain = PresentedChain(der: [leaf.certificateDER])
        let rule =
            """
            {\"host\": \"HOST\", \"includesSubdomains\": true, \"pins\": [\"\(leaf.view.spkiDigest.base64)\", \
            \"\(TestPins.two)\"]}
            """
        func codes(_ host: String, _ more: String = "") -> Set<String> {
            lint(rule.replacing("HOST", with: host) + more, chain: chain)
        }
        #expect(codes("example.com") == ["chain-not-compared"])
        #expect(codes("www.example.org").isEmpty && codes("org").contains("chain-not-compared") == false)
        #expect(
            codes("example.com", ", {\"host\": \"example.org\", \"excluded\": true}").contains("chain-not-compared"))
        let unnamed = try factory.leaf([], signedBy: nil)
        for chain in [
            PresentedChain(der: []), PresentedChain(der: [[1]]), PresentedChain(der: [unnamed.certificateDER]),
        ] {
            let found = lint(rule.replacing("HOST", with: "example.com"), chain: chain)
            #expect(found == ["chain-not-compared"])
        }
        let document = PolicyFormats.read("sha256//\(TestPins.one)", as: .curl)
        let finding = PolicyLint.check(document, at: now, chain: chain).first { $0.code == .chainNotCompared }
        #expect(finding?.severity == .warning && finding?.message.contains("*.example.org, example.org") == true)
    }

    @Test(arguments: [
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA=",
        "//////////////////////////////////////////8=", "3q2+796tvu/erb7v3q2+796tvu/erb7v3q2+796tvu8=",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ=",
        "YourBackupPinGoesHereAndIsFortyThreeDigits0=", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM=",
        "7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=",
    ])
    func placeholders(_ pin: String) {
        let rule = "{\"host\": \"example.com\", \"pins\": [\"\(TestPins.one)\", \"\(pin)\"]}"
        #expect(lint(rule) == ["placeholder-pin"])
        let set = "{\"host\": \"example.com\", \"pinSet\": \"s\"}"
        #expect(lint(set, ", \"pinSets\": {\"s\": [\"\(TestPins.one)\", \"\(pin)\"]}") == ["placeholder-pin"])
    }

    /// No random hash may look like a placeholder.
    @Test func hashesAreNotPlaceholders() {
        for number in 0..<2_000 {
            let digest = SPKIDigest(hashing: Array("\(number)".utf8))
            let rule = PolicyFormats.read("example.com sha256/\(digest.base64)", as: .okHttp)
            #expect(!PolicyLint.check(rule, at: now).codes.contains("placeholder-pin"), "\(digest)")
        }
    }

    @Test func findingsHavePosition() {
        let document = PolicyFormats.read("\nexample.com sha256/\(TestPins.one)\n", as: .okHttp)
        let finding = PolicyLint.check(document, at: now).first { $0.code == .missingBackupPin }
        #expect(finding?.position == SourcePosition(line: 2, column: 1))
        #expect(finding?.path == "line 2")
        #expect(finding?.severity == .warning)
    }

    // MARK: - Other files

    @Test func comparesInfoPlists() {
        func list(_ body: String) -> [UInt8] {
            Array("<plist><dict><key>NSAppTransportSecurity</key><dict>\(body)</dict></dict></plist>".utf8)
        }
        let one = list(
            "<key>NSAllowsArbitraryLoads</key><false/><key>A</key><dict><key>B</key><integer>1</integer></dict>")
        let two = list(
            "<key>A</key><dict><key>B</key><integer>2</integer></dict><key>NSAllowsArbitraryLoads</key><false/>")
        #expect(PolicyLint.compareTransportSecurity(one, one).isEmpty)
        let differences = PolicyLint.compareTransportSecurity(one, two, named: ("App", "Extension"))
        #expect(differences.map(\.path) == ["NSAppTransportSecurity.A.B"])
        #expect(differences.first?.message == "App and Extension have different values")
        let without = PolicyLint.compareTransportSecurity(one, Array("<plist><dict/></plist>".utf8))
        #expect(without.map(\.path) == ["NSAppTransportSecurity"])
        #expect(PolicyLint.compareTransportSecurity(one, Array("bplist00".utf8)).codes == ["binary-property-list"])
    }

    @Test(arguments: [
        "{\"chat\": [{\"allowUntrustedSSLCertificate\": true}]}",
        "<plist><dict><key>allowUntrustedSSLCertificate</key><true/></dict></plist>",
        "let pinning = SSLPinningConfig(allowUntrustedSSLCertificate: true)",
        "config.allowUntrustedSSLCertificate = true",
    ])
    func untrustedCertificates(_ text: String) {
        #expect(PolicyLint.checkConfiguration(Array(text.utf8)).codes == ["untrusted-certificates-allowed"])
        let off = text.replacing("true", with: "false")
        #expect(PolicyLint.checkConfiguration(Array(off.utf8)).isEmpty)
        #expect(PolicyLint.checkConfiguration(Array("// allowUntrustedSSLCertificate: true".utf8)).isEmpty)
    }

    @Test func lintsCertificateFolder() throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        func leaf(_ name: String, key: Key? = nil, from: Int64 = -10, to: Int64 = 100) throws -> Identity {
            var options = CertificateOptions()
            options.key = key
            options.notBefore = now.advanced(bySeconds: from * 86_400)
            options.notAfter = now.advanced(bySeconds: to * 86_400)
            return try factory.leaf([name], signedBy: root, options)
        }
        let first = try leaf("a.example")
        let second = try leaf("b.example")
        func codes(_ files: [(name: String, bytes: [UInt8])]) -> Set<String> {
            PolicyLint.checkCertificates(files, at: now).codes
        }
        #expect(codes([("a.cer", first.certificateDER), ("b.cer", second.certificateDER)]).isEmpty)
        #expect(codes([("a.cer", first.certificateDER)]) == ["single-certificate"])
        #expect(codes([]) == ["no-certificate"])
        #expect(
            codes([("a.cer", first.certificateDER), ("b.cer", Array(second.certificatePEM.utf8))]) == [
                "pem-certificate"
            ])
        #expect(
            codes([("a.cer", first.certificateDER), ("b.cer", [1, 2, 3])]) == [
                "unreadable-certificate", "single-certificate",
            ])
        let same = try leaf("c.example", key: first.key)
        #expect(
            codes([("a.cer", first.certificateDER), ("c.cer", same.certificateDER)]) == [
                "duplicate-key", "single-certificate",
            ])
        let expired = try leaf("d.example", to: -1).certificateDER
        #expect(codes([("a.cer", first.certificateDER), ("d.cer", expired)]) == ["certificate-expired"])
        let ending = try leaf("e.example", to: 10).certificateDER
        #expect(codes([("a.cer", first.certificateDER), ("e.cer", ending)]) == ["certificate-expires-soon"])
        let early = try leaf("f.example", from: 5).certificateDER
        #expect(codes([("a.cer", first.certificateDER), ("f.cer", early)]) == ["certificate-not-yet-valid"])
    }

    @Test("the notice decides when pins and certificates expire soon")
    func noticePeriod() throws {
        let text =
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", \(two), \
            "expires": "\(now.advanced(bySeconds: 40 * 86_400))"}]}
            """
        let document = PolicyFormats.read(text, as: .holdfast)
        #expect(PolicyLint.check(document, at: now).isEmpty)
        #expect(PolicyLint.check(document, at: now, notice: 40 * 86_400).codes == ["expires-soon"])
        #expect(PolicyLint.check(document, at: now, notice: 40 * 86_400 - 1).isEmpty)
        let later = now.advanced(bySeconds: 40 * 86_400)
        #expect(PolicyLint.check(document, at: later, notice: 0).codes == ["expired"])

        let root = try CertificateFactory().authority("Root")
        var options = CertificateOptions()
        options.notAfter = now.advanced(bySeconds: 40 * 86_400)
        let files = try ["a", "b"].map { name in
            (name: "\(name).cer", bytes: try CertificateFactory().leaf([name], signedBy: root, options).certificateDER)
        }
        #expect(PolicyLint.checkCertificates(files, at: now).isEmpty)
        #expect(
            PolicyLint.checkCertificates(files, at: now, notice: 41 * 86_400).codes == ["certificate-expires-soon"])
        #expect(PolicyLint.checkCertificates(files, at: now, notice: 39 * 86_400).isEmpty)
    }

    @Test("anchors of a policy are checked like certificates")
    func anchorsEnd() throws {
        var options = CertificateOptions()
        options.notAfter = now.advanced(bySeconds: 40 * 86_400)
        let root = try CertificateFactory().authority("Root", options)
        let pem = root.certificatePEM.replacing("\n", with: "\\n")
        let document = PolicyFormats.read(
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", \(two)}],
             "anchors": {"certificates": ["\(pem)"]}}
            """, as: .holdfast)
        #expect(document.anchors?.certificates.count == 1)
        #expect(PolicyLint.check(document, at: now).isEmpty)
        let ending = PolicyLint.check(document, at: now, notice: 41 * 86_400)
        #expect(ending.codes == ["certificate-expires-soon"])
        #expect(ending.first?.path == "anchors.certificates[0]")
        let later = now.advanced(bySeconds: 41 * 86_400)
        #expect(PolicyLint.check(document, at: later).codes == ["certificate-expired"])
    }
}
