import HoldfastFormats
import HoldfastTrust
import Testing

/// Tests for Java and Kotlin source code with calls of `CertificatePinner.Builder.add`.
@Suite("OkHttp in source code") struct OkHttpSourceTests {
    private let one = "sha256/\(TestPins.one)"
    private let two = "sha256/\(TestPins.two)"

    private func read(_ text: String) -> PolicyDocument {
        PolicyFormats.read(text.replacing("P1", with: one).replacing("P2", with: two), as: nil)
    }

    /// Expects these hosts with these numbers of pins, and no findings.
    private func expect(
        _ text: String, _ rules: [String: Int], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let document = read(text)
        #expect(document.format == .okHttp, sourceLocation: sourceLocation)
        #expect(document.diagnostics.isEmpty, sourceLocation: sourceLocation)
        let found = Dictionary(document.domains.map { ($0.text, $0.pins.count) }) { $0 + $1 }
        #expect(found == rules, sourceLocation: sourceLocation)
    }

    // MARK: - The builder

    @Test func readsKotlinBuilder() {
        expect(
            """
            val certificatePinner = CertificatePinner.Builder()
                .add("publicobject.com", "P1")
                .add("**.publicobject.com", "P1", "P2")
                .build()
            """, ["publicobject.com": 1, "**.publicobject.com": 2])
        expect(
            #"val certificatePinner = CertificatePinner.Builder().add("publicobject.com", "P1").build()"#,
            ["publicobject.com": 1])
    }

    @Test func readsJavaBuilder() {
        expect(
            """
            CertificatePinner certificatePinner = new CertificatePinner.Builder()
                .add("publicobject.com", "P1")
                .build();
            """, ["publicobject.com": 1])
        expect(
            #"CertificatePinner p = new CertificatePinner.Builder().add("publicobject.com", "P1").build();"#,
            ["publicobject.com": 1])
    }

    /// A recipe of OkHttp's documentation, including the code around the builder.
    @Test func readsWholeRecipe() {
        expect(
            #"""
            package okhttp3.recipes.kt

            import java.io.IOException
            import okhttp3.CertificatePinner

            class CertificatePinning {
              private val client = OkHttpClient.Builder()
                  .certificatePinner(
                      CertificatePinner.Builder()
                          .add("publicobject.com", "P1")
                          .build())
                  .build()

              fun run() {
                val request = Request.Builder()
                    .url("https://publicobject.com/robots.txt") // a literal with slashes, and a comment
                    .build()

                client.newCall(request).execute().use { response ->
                  if (!response.isSuccessful) throw IOException("Unexpected code $response ${response.code}")

                  for (certificate in response.handshake!!.peerCertificates) {
                    println(CertificatePinner.pin(certificate))
                    println('"'); println('\''); println("\"// no comment\\")
                  }
                }
              }
            }
            """#, ["publicobject.com": 1])
        expect(
            #"""
            public final class CertificatePinning {
              private final OkHttpClient client = new OkHttpClient.Builder()
                  .certificatePinner(
                      new CertificatePinner.Builder()
                          .add("publicobject.com", "P1",
                               "P2")
                          .build())
                  .build();

              public void run() throws Exception {
                Request request = new Request.Builder()
                    .url("https://publicobject.com/robots.txt")
                    .build();

                try (Response response = client.newCall(request).execute()) {
                  if (!response.isSuccessful()) throw new IOException("Unexpected code " + response);
                }
              }
            }
            """#, ["publicobject.com": 2])
    }

    @Test func readsCallsInAnyLayout() {
        expect("b.add( \"a.example\" ,\n\"P1\" ,\n\t\"P2\",\n)", ["a.example": 2])
        expect(
            "b\r\n  .add(\"a.example\", \"P1\")\r\n  ?.add (\"b.example\", \"P1\");\r\n",
            ["a.example": 1, "b.example": 1])
        expect("apply { add(\"a.example\", \"P1\"); add(\"a.example\", \"P2\") }", ["a.example": 2])
        expect("b.`add`(/* host */ \"a.example\", // pin\n \"P1\" /* last */)", ["a.example": 1])
        expect(
            "val text = \"\"\"\n .add(\"no.example\", \"P1\") \"\"\"\nb.add(\"a.example\", \"P1\")", ["a.example": 1])
        expect(#"b.add("a.\u00e4", "P1")"#.replacing("\\u00e4", with: "ä"), ["a.ä": 1])
    }

    /// A pin may contain two slashes, which start a comment elsewhere.
    @Test func literalsWithSlashes() throws {
        let digest = try #require(SPKIDigest(bytes: [0xFF, 0xFF] + [UInt8](repeating: 7, count: 30)))
        let pin = digest.description
        #expect(pin.contains("///"))
        for text in ["b.add(\"a.example\", \"\(pin)\")", "a.example \(pin)", "a.example \(pin) // old"] {
            let document = PolicyFormats.read(text, as: .okHttp)
            #expect(document.codes(.error).isEmpty, "\(text): \(document.diagnostics)")
            #expect(document.domains.first?.pins.compactMap(\.pin?.spkiDigest) == [digest], "\(text)")
        }
    }

    // MARK: - Comments

    @Test(arguments: [
        "// .add(\"evil.example\", \"P2\")", "  // .add(\"evil.example\", \"P2\")", "# .add(\"evil.example\", \"P2\")",
        "/* .add(\"evil.example\", \"P2\") */", "/*\n .add(\"evil.example\", \"P2\")\n */",
        "/** .add(\"evil.example\", \"P2\") */", ".toString() // .add(\"evil.example\", \"P2\")",
        "//.add(\"evil.example\", \"P2\")\r", "/* a */ /* .add(\"evil.example\", \"P2\") */",
        "/*/ .add(\"evil.example\", \"P2\") */",
        "// \" .add(\"evil.example\", \"P2\")", "/* ' */ // .add(\"evil.example\", \"P2\")",
    ])
    func ignoresCommentedCalls(_ comment: String) {
        expect(
            """
            val p = CertificatePinner.Builder()\n    .add(\"a.example\", \"P1\")\n\(comment)\n    .add(\"b.example\", \
            \"P1\")\n    .build()
            """,
            ["a.example": 1, "b.example": 1])
    }

    @Test func ignoresCommentedPin() {
        expect(
            "b.add(\"a.example\",\n  \"P1\",\n  // \"P2\",\n  /* \"P2\" */\n)", ["a.example": 1])
        let all = read("val p = CertificatePinner.Builder()\n  // .add(\"a.example\", \"P1\")\n  .build()")
        #expect(all.codes(.error) == ["no-pinned-domains"] && all.domains.isEmpty)
    }

    /// Comment characters inside a literal do not start a comment.
    @Test func commentsInLiterals() {
        expect(
            "b.url(\"/*\").add(\"a.example\", \"P1\").url(\"*/ //\").add(\"b.example\", \"P1\")",
            ["a.example": 1, "b.example": 1])
    }

    // MARK: - Arguments

    @Test(arguments: [
        (".add(hostname, \"P1\")", 1, 14), (".add(\"a.example\", PIN)", 1, 27),
        (".add(\"a.example\", \"P1\", *PINS)", 1, 82),
        (".add(\"a.\" + domain, \"P1\")", 1, 15), (".add(\"$host\", \"P1\")", 1, 15),
        (".add(\"${host}\", \"P1\")", 1, 15),
        (".add(BuildConfig.HOST, \"P1\")", 1, 14), (".add(\"a.example\", pins[0])", 1, 27),
        (".add(\"a.example\", \"sha256/\" + hash(\"x, y\"))", 1, 28), (".add(pattern = \"a.example\", \"P1\")", 1, 14),
        (".add(host(), \"P1\")", 1, 14), (".add(\"\"\"a.example\"\"\", \"P1\")", 1, 17),
        ("\n    .add(hostname, \"P1\")", 2, 10), (".add(, \"P1\")", 1, 14), (".add(\"a.example\", \"\\q\")", 1, 28),
    ])
    func otherArgumentsAreErrors(_ call: String, _ line: Int, _ column: Int) {
        let document = read("builder \(call).add(\"b.example\", \"P1\")")
        #expect(document.codes(.error) == ["not-a-literal"], "\(document.diagnostics)")
        #expect(document.diagnostics.first?.position == SourcePosition(line: line, column: column))
        #expect(document.domains.map(\.text) == ["b.example"], "a call with an unknown host must not create a rule")
        #expect(throws: PolicyError.self) { try document.policy() }
    }

    @Test(arguments: [
        ("b.add(\"a.example\")", "missing-pin"), ("b.add()", "missing-pin"),
        ("b.add(\"a.example\", \"P1", "malformed-source"),
        ("b.add(\"a.example\", \"P1\"", "malformed-source"),
        ("b.add(\"a.example\", \"P1\") /* open", "malformed-source"),
        ("b.add(\"a.example\", \"P1\") /* a /* b */ */", "malformed-source"),
        ("b.add(\"a.*\", \"P1\")", "invalid-host"),
        ("b.add(\"a.example\", \"sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=\")", "sha1-pin"), ("f(\"P1\")", "misplaced-pin"),
        ("val pin = \"P1\"\nb.add(\"a.example\", \"P2\")", "misplaced-pin"),
        ("c.example P1\nb.add(\"a.example\", \"P1\")", "misplaced-pin"),
        ("b.add(\"a.example\", \"P1\") \\", "malformed-source"),
        ("b.add(\"a.example\", \"\\u0022, \\u0022P1\")", "malformed-source"),
        ("b.add(\"a.example\", \"P1\") // \\u000a x", "malformed-source"),
        ("b.add(\"a.example\", \"P1\"); log(\"${map[\"x\"]}\")", "malformed-source"),
        ("b.add(\"a.example\", \"P1\"); '", "malformed-source"),
        ("b.add(\"a.example\", \"P1\"); `x", "malformed-source"),
        ("b.add(\"a.example\", \"P1\"); \"\"\"x", "malformed-source"),
        ("b.add(\"a.example\", [\"P1\")", "malformed-source"), ("b.build()", "no-pinned-domains"),
    ])
    func errorsInSource(_ text: String, _ code: String) {
        let document = PolicyFormats.read(text.replacing("P1", with: one).replacing("P2", with: two), as: .okHttp)
        #expect(document.codes(.error).contains(code), "\(document.diagnostics)")
        #expect(document.diagnostics.allSatisfy { $0.position != nil })
        #expect(throws: PolicyError.self) { try document.policy() }
    }

    /// Escaped backslashes and escapes of other characters have the same meaning in Java and Kotlin.
    @Test func acceptsHarmlessEscapes() {
        expect("b.add(\"a.example\", \"P1\") // C:\\\\users, \\u00e4", ["a.example": 1])
        expect("b.add(\"a.example\", \"P1\"); log(\"\\\\u0022 \\u00e4 \\n\")", ["a.example": 1])
    }

    @Test func detectsSourceAfterOtherText() {
        let header =
            "/*\n * Licence, version 2 (\"as is\").\n */\n" + String(repeating: "import a.b.c.D;\n", count: 1_000)
        expect(header + "class A { C c = new C().add(\"a.example\", \"P1\"); }", ["a.example": 1])
        expect("// pins\nb.add(\"a.example\", \"P1\")", ["a.example": 1])
        expect("// pins\na.example P1", ["a.example": 1])
    }
}
