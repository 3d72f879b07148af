import HoldfastFormats
import HoldfastTestSupport
import HoldfastTrust
import Testing

@Suite("OkHttp, HPKP, curl, Chromium") struct LineFormatTests {
    // MARK: - OkHttp

    @Test func matchingPatternsAddUp() throws {
        let document = PolicyFormats.read(
            """
            # pins
            **.example.com sha256/\(TestPins.one)
            *.example.com sha256/\(TestPins.two)

            www.Example.com sha256/\(TestPins.three) sha256/\(TestPins.text(4))
            www.example.com\tsha256/\(TestPins.text(5))\r
            """, as: nil)
        #expect(document.format == .okHttp)
        #expect(document.codes(.error).isEmpty)
        #expect(document.domains.count == 3)
        #expect(try document.conclusion("example.com").contains("1 pin "))
        #expect(try document.conclusion("api.example.com").contains("2 pins"))
        #expect(try document.conclusion("www.example.com").contains("5 pins"))
        #expect(try document.conclusion("a.b.example.com").contains("1 pin "))
        #expect(try document.conclusion("example.org").contains("No rule"))
    }

    @Test(arguments: [
        ("example.com", "missing-pin"), ("example.com sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "sha1-pin"),
        ("example.com md5/AAAA", "invalid-pin"), ("example.com sha256/AAAA", "invalid-pin"),
        ("example.com sha256/****", "invalid-pin"), ("a.*.com sha256/PIN", "invalid-host"),
        ("**.*.com sha256/PIN", "invalid-host"), ("*example.com sha256/PIN", "invalid-host"),
        ("https://example.com/ sha256/PIN", "invalid-host"), ("* sha256/PIN", "invalid-host"),
        ("*.192.0.2.1 sha256/PIN", "invalid-host"),
    ])
    func okHttpErrors(_ line: String, _ code: String) {
        let document = PolicyFormats.read(line.replacing("PIN", with: TestPins.one), as: .okHttp)
        #expect(document.codes(.error) == [code])
        #expect(document.diagnostics.first?.position?.line == 1)
    }

    /// Calls of `CertificatePinner.Builder.add` are read in the form of source code.
    @Test func readsCalls() throws {
        let document = PolicyFormats.read(
            """
            CertificatePinner.Builder().add("**.example.com", "sha256/\(TestPins.one)", "sha256/\(TestPins.two)")
                .add("example.org", "sha256/\(TestPins.three)");
            """, as: nil)
        #expect(document.format == .okHttp)
        #expect(document.diagnostics.isEmpty)
        #expect(document.domains.map(\.text) == ["**.example.com", "example.org"])
        #expect(document.domains.map(\.pins.count) == [2, 1])
        #expect(document.domains.last?.position == SourcePosition(line: 2, column: 11))
    }

    /// Reads all calls in one line, and the text before them.
    @Test func severalCallsInALine() {
        let calls = #"b.add("a.example", "sha256/\#(TestPins.one)").add("b.example", "sha256/\#(TestPins.two)")"#
        let document = PolicyFormats.read(calls, as: .okHttp)
        #expect(document.domains.map(\.text) == ["a.example", "b.example"])
        #expect(document.diagnostics.isEmpty)
        let mixed = PolicyFormats.read("c.example sha256/\(TestPins.three); \(calls)", as: .okHttp)
        #expect(mixed.domains.map(\.text) == ["c.example", "a.example", "b.example"] || !mixed.codes(.error).isEmpty)
    }

    /// The rules of OkHttp's patterns, for several hosts.
    @Test(arguments: [
        ("example.com", "example.com", true), ("example.com", "a.example.com", false),
        ("*.example.com", "a.example.com", true), ("*.example.com", "example.com", false),
        ("*.example.com", "b.a.example.com", false), ("*.example.com", "aexample.com", false),
        ("**.example.com", "example.com", true), ("**.example.com", "a.example.com", true),
        ("**.example.com", "c.b.a.example.com", true), ("**.example.com", "badexample.com", false),
        ("EXAMPLE.com", "example.COM", true), ("b\u{fc}cher.example", "xn--bcher-kva.example", true),
    ])
    func okHttpPatterns(_ pattern: String, _ host: String, _ covers: Bool) throws {
        let document = PolicyFormats.read("\(pattern) sha256/\(TestPins.one)", as: .okHttp)
        #expect(try document.conclusion(host).contains("1 pin ") == covers)
    }

    // MARK: - HPKP

    private func header(_ text: String, host: String? = "example.com", at time: String? = "2026-03-01")
        -> PolicyDocument
    {
        PolicyFormats.read(
            text, as: .hpkp, options: PolicyReadOptions(host: host, receivedAt: time.flatMap { Timestamp(iso8601: $0) })
        )
    }

    private let pins = "pin-sha256=\"\(TestPins.one)\"; pin-sha256=\"\(TestPins.two)\""

    @Test func headerAppliesFromReceipt() throws {
        let document = header(
            "Public-Key-Pins: \(pins); MAX-AGE=86400; includeSubdomains; report-uri=\"https://r.example/\"; future=1")
        #expect(document.codes(.error).isEmpty)
        #expect(document.codes(.note) == ["unknown-directive"])
        let domain = try #require(document.domains.first)
        #expect(domain.expires == Timestamp(iso8601: "2026-03-02"))
        #expect(domain.pattern?.depth == .apexAndAnyDepth)
        #expect(domain.reportURIs == ["https://r.example/"])
        #expect(try document.conclusion("a.b.example.com").contains("2 pins"))
        #expect(header("\(pins); max-age=1", at: nil).codes(.warning) == ["relative-expiry"])
        #expect(
            header("\(pins); max-age=99999999999999999999").domains.first?.expires == Timestamp(secondsSince1970: .max))
    }

    /// The examples of RFC 7469, 2.1.5, as printed in the RFC.
    @Test(arguments: [
        """
             Public-Key-Pins: max-age=3000;
                 pin-sha256="P1";
                 pin-sha256="P2"
        """,
        """
        Public-Key-Pins: pin-sha256="P1";
            pin-sha256="P2";
            max-age=3000; includeSubDomains;
            report-uri="https://example.com/report"
        """,
        "Public-Key-Pins:\r\n\tpin-sha256=\"P1\";\r\n\tpin-sha256=\"P2\"; max-age=3000\r\n",
    ])
    func foldedHeaders(_ text: String) throws {
        let document = header(text.replacing("P1", with: TestPins.one).replacing("P2", with: TestPins.two))
        #expect(document.codes(.error).isEmpty, "\(document.diagnostics)")
        #expect(document.domains.first?.pins.compactMap(\.pin) == [Pin(TestPins.digest(1)), Pin(TestPins.digest(2))])
        #expect(document.domains.first?.expires == Timestamp(iso8601: "2026-03-01T00:50:00Z"))
    }

    @Test func foldedLinesHavePosition() {
        let folded = header("Public-Key-Pins: \(pins);\n  max-age=x")
        #expect(folded.diagnostics.first?.position == SourcePosition(line: 2, column: 3))
        for text in [
            "Public-Key-Pins: \(pins);\nmax-age=60", "Public-Key-Pins: \(pins);\n\n max-age=60",
            "  Public-Key-Pins: \(pins); max-age=60\n  Public-Key-Pins: \(pins); max-age=60",
            "\(pins); max-age=60; x=\"a\n b\"", "\(pins); max-age=6\n 0",
        ] {
            #expect(!header(text).codes(.error).isEmpty, "\(text)")
        }
    }

    @Test func reportOnlyAndZeroAge() throws {
        let report = header("Public-Key-Pins-Report-Only: \(pins)")
        #expect(report.codes(.error).isEmpty)
        #expect(report.domains.first?.enforcement == .reportOnly)
        // RFC 7469, 2.1.2: clients do not store such a header, so it has no expiration.
        let aged = header("Public-Key-Pins-Report-Only: \(pins); max-age=60")
        #expect(aged.codes(.note) == ["unused-max-age"])
        #expect(aged.domains.first?.expires == nil)
        let forget = header("\(pins); max-age=0")
        #expect(try forget.conclusion("example.com").contains("excludes example.com"))
        #expect(throws: PolicyError.self) { try header("pin-sha256=\"\(TestPins.one)\"; max-age=60").policy() }
    }

    @Test(arguments: [
        ("PINS", "missing-max-age"), ("max-age=60", "missing-pin"),
        ("PINS; max-age=60; max-age=61", "duplicate-directive"),
        ("PINS; max-age=-1", "invalid-max-age"), ("PINS; max-age=60; includeSubDomains=1", "unexpected-value"),
        ("PINS; pin-sha256=abc; max-age=60", "unquoted-pin"), ("PINS; pin-sha256=\"abc\"; max-age=60", "invalid-pin"),
        ("PINS; pin-sha1=\"abc\"; max-age=60", "sha1-pin"), ("PINS; max-age=60; x=\"abc", "malformed-header"),
        ("PINS; max-age=60; report-uri=\"x\"", "invalid-report-uri"), ("max-age=60; PINS; =", "malformed-header"),
        ("PINS; max-age=60\nPINS; max-age=60", "several-headers"), ("PINS max-age=60", "malformed-header"),
    ])
    func headerErrors(_ text: String, _ code: String) {
        #expect(header(text.replacing("PINS", with: pins)).codes(.error).contains(code))
    }

    @Test func headerNeedsHost() {
        #expect(header("\(pins); max-age=60", host: nil).codes(.error) == ["missing-host"])
        #expect(throws: PolicyError.self) { try header("\(pins); max-age=60", host: nil).policy() }
    }

    // MARK: - curl

    @Test func curlPinsServerKey() throws {
        let options = PolicyReadOptions(host: "example.com")
        let document = PolicyFormats.read(
            "sha256//\(TestPins.one);sha256//\(TestPins.two)\n", as: nil, options: options)
        #expect(document.format == .curl)
        #expect(document.codes(.error).isEmpty)
        #expect(document.domains.first?.pins.compactMap(\.pin?.scope) == [.leaf, .leaf])
        let quoted = PolicyFormats.read("pinnedpubkey = \"sha256//\(TestPins.one)\"", as: nil, options: options)
        #expect(quoted.domains.first?.pins.count == 1)
        _ = try quoted.policy()
        for line in [
            "--pinnedpubkey 'sha256//\(TestPins.one)'", "pinnedpubkey=\"sha256//\(TestPins.one)\"",
            "# a comment\npinnedpubkey: sha256//\(TestPins.one)",
        ] {
            let document = PolicyFormats.read(line, as: nil, options: options)
            #expect(document.format == .curl, "\(line)")
            #expect(try document.policy().rules.first?.pins.pins == [Pin(TestPins.digest(1), scope: .leaf)], "\(line)")
        }
        #expect(PolicyFormats.read("/etc/key.pem", as: .curl, options: options).codes(.error) == ["file-path"])
        #expect(PolicyFormats.read("sha256//AAAA", as: .curl, options: options).codes(.error) == ["invalid-pin"])
        #expect(PolicyFormats.read("", as: .curl, options: options).codes(.error) == ["missing-pin"])
        #expect(PolicyFormats.read("sha256//\(TestPins.one)", as: .curl).codes(.error) == ["missing-host"])
    }

    /// The error for an invalid pin shows the correct spelling of the format.
    @Test func invalidPinNamesExpectedForm() {
        func messages(_ text: String, _ format: PolicyFormat) -> [String] {
            let options = PolicyReadOptions(host: "example.com")
            return PolicyFormats.read(text, as: format, options: options).diagnostics.map(\.message)
        }
        #expect(
            messages("example.com sha256/AAAA", .okHttp).contains(
                "\"sha256/AAAA\" is not a valid pin: expected sha256/ and 32 bytes in base64"))
        #expect(
            messages("sha256//AAAA", .curl).contains(
                "\"sha256//AAAA\" is not a valid pin: expected sha256// and 32 bytes in base64"))
        #expect(
            messages("Public-Key-Pins: pin-sha256=\"abc\"; max-age=60", .hpkp).contains(
                "\"abc\" is not a valid pin: expected 32 bytes in base64"))
    }

    // MARK: - Chromium

    @Test func entriesSharePinSetsAndDenyBadKeys() throws {
        let document = PolicyFormats.read(
            """
            // Copyright
            {
              // sets
              "pinsets": [
                {"name": "main", "static_spki_hashes": ["KeyA", "sha256/\(TestPins.two)"],
                 "bad_static_spki_hashes": ["sha256/\(TestPins.three)"], "report_uri": "https://r.example/"}
              ],
              "entries": [
                {"name": "example.com", "include_subdomains": true, "mode": "force-https", "pins": "main"},
                {"name": "open.example.com", "mode": "force-https"},
                {"name": "elsewhere.example", "mode": "force-https"}
              ]
            }
            """, as: nil,
            options: PolicyReadOptions(
                keys: Array("# keys\nPinsListTimestamp\n1\n\nKeyA\nsha256/\(TestPins.one)\n".utf8)))
        #expect(document.format == .chromium)
        #expect(document.codes(.error).isEmpty)
        #expect(document.codes(.warning) == ["deny-is-global"])
        #expect(document.codes(.note) == ["other-setting"])
        #expect(document.denied.compactMap(\.pin) == [Pin(TestPins.digest(3))])
        #expect(document.domains.first?.reportURIs == ["https://r.example/"])
        #expect(document.domains.first?.position == SourcePosition(line: 9, column: 5))
        #expect(try document.conclusion("a.example.com").contains("2 pins"))
        #expect(try document.conclusion("open.example.com").contains("excludes open.example.com"))
        #expect(try document.policy().denied.pins == [Pin(TestPins.digest(3))])
    }

    @Test func chromiumErrors() {
        func codes(_ text: String) -> [String] { PolicyFormats.read(text, as: .chromium).codes(.error) }
        #expect(codes("{\"pinsets\": []}") == ["no-entries"])
        #expect(codes("{\"entries\": [{\"name\": \"a.example\", \"pins\": \"x\"}]}") == ["unknown-pin-set"])
        #expect(
            codes("{\"pinsets\": [{\"name\": \"x\", \"static_spki_hashes\": [\"KeyA\"]}], \"entries\": []}")
                == ["unknown-key-name"])
        #expect(codes("{\"entries\": [{}]}") == ["missing-name"])
        #expect(codes("{\"entries\": [5]}") == ["wrong-type"])
        #expect(
            codes("{\"pinsets\": [{\"name\": \"x\"}, {\"name\": \"x\"}], \"entries\": []}") == ["duplicate-pin-set"])
        #expect(codes("{") == ["invalid-json"])
    }

    @Test func chromiumCertificateFile() throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        func codes(_ keys: String, _ name: String = "KeyA") -> [String] {
            let text =
                """
                {\"pinsets\": [{\"name\": \"x\", \"static_spki_hashes\": [\"\(name)\"]}], \"entries\": [{\"name\": \
                \"a.example\", \"pins\": \"x\"}]}
                """
            let options = PolicyReadOptions(keys: Array(keys.utf8))
            let document = PolicyFormats.read(text, as: .chromium, options: options)
            if document.codes(.error).isEmpty {
                #expect(document.pinSets.first?.pins.first?.pin?.spkiDigest == root.view.spkiDigest)
            }
            return document.codes(.error)
        }
        #expect(codes("KeyA\nsha256/\(root.view.spkiDigest.base64)\n").isEmpty)
        #expect(codes("# comment\n\nKeyA\n\(root.certificatePEM)").isEmpty)
        #expect(
            codes("KeyA\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n") == [
                "invalid-key", "unknown-key-name",
            ])
        #expect(codes("KeyA\n") == ["invalid-key", "unknown-key-name"])
        #expect(codes("KeyA\nsha256/AAAA\n") == ["invalid-pin", "unknown-key-name"])
        #expect(codes("KeyB\nsha256/\(root.view.spkiDigest.base64)\n") == ["unknown-key-name"])
    }

    @Test func chromiumSubdomainFlags() throws {
        let set = "{\"pinsets\": [{\"name\": \"x\", \"static_spki_hashes\": [\"sha256/\(TestPins.one)\"]}], "
        func conclusion(_ flags: String) throws -> String {
            try PolicyFormats.read(
                set + "\"entries\": [{\"name\": \"a.example\", \"pins\": \"x\"\(flags)}]}", as: .chromium
            )
            .conclusion("b.c.a.example")
        }
        #expect(try conclusion("").contains("No rule covers"))
        #expect(try conclusion(", \"include_subdomains\": true").contains("1 pin "))
        #expect(try conclusion(", \"include_subdomains_for_pinning\": true").contains("1 pin "))
        let empty = "{\"pinsets\": [{\"name\": \"x\"}], \"entries\": [{\"name\": \"a.example\", \"pins\": \"x\"}]}"
        #expect(try PolicyFormats.read(empty, as: .chromium).conclusion("a.example").contains("excludes a.example"))
    }

    // MARK: - All formats

    @Test(arguments: ["", " ", "hello", "<html/>", "{}", "[]", "\u{0}"])
    func reportsUnknownFormat(_ text: String) {
        let document = PolicyFormats.read(text, as: nil)
        #expect(document.codes(.error) == ["unknown-format"])
        #expect(throws: PolicyError.self) { try document.policy() }
    }
}
