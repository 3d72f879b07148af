import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast probe: formats") struct ProbeFormattingTests {
    @Test(arguments: [
        ("plain", "plain"), ("a\"b", "a\\\"b"), ("a\\b", "a\\\\b"), ("a\nb", "a\\nb"), ("a\r\nb", "a\r\\nb"),
        ("\\n", "\\\\n"), ("ü\u{1F512}", "ü\u{1F512}"), ("", ""), ("{a=\"1\"} 2", "{a=\\\"1\\\"} 2"),
    ]) func aLabelIsEscaped(_ value: String, _ expected: String) {
        // Compares scalars, because "\r\n" is one character.
        #expect(Array(PrometheusText.escaped(value).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test func familyHasHelpAndTypeOnce() {
        var text = PrometheusText()
        text.write("a_total", .counter, "What\nis \\ \"this\".", [([("x", "1\"")], .integer(2)), ([], .real(0.5))])
        text.write("none", .gauge, "Nothing.", [])
        text.write("b", .gauge, "B.", [([], .real(.nan)), ([], .real(.infinity)), ([], .real(-.infinity))])
        #expect(
            text.text == """
                # HELP a_total What\\nis \\\\ "this".
                # TYPE a_total counter
                a_total{x="1\\""} 2
                a_total 0.5
                # HELP b B.
                # TYPE b gauge
                b NaN
                b +Inf
                b -Inf

                """)
    }

    @Test(
        arguments: [
            (0, 0), (1, 0), (86_399, 0), (86_400, 1), (86_401, 1), (-1, -1), (-86_400, -1), (-86_401, -2),
        ] as [(Int64, Int64)]) func daysAreRoundedDown(_ seconds: Int64, _ days: Int64)
    {
        let now = ProbeStage.now
        #expect(ExpiryDays.left(from: now, to: now.advanced(bySeconds: seconds)) == days)
    }

    @Test func daysDoNotTrap() {
        let first = Timestamp(secondsSince1970: .min)
        let last = Timestamp(secondsSince1970: .max)
        #expect(ExpiryDays.left(from: first, to: last) == .max)
        #expect(ExpiryDays.left(from: last, to: first) == .min)
        #expect(ExpiryDays.words(.min) == "ended")
        #expect(ExpiryDays.words(0) == "less than a day left")
    }

    @Test func lineOfEachFormatContainsThePin() throws {
        let digest = try Key(.p256).spkiDigest
        let host = try CanonicalHost("shop.example")
        let lines = PolicyFormat.allCases.map { ProbeAdvice.line(for: digest, as: $0, host: host) }
        #expect(lines.allSatisfy { $0.contains(digest.base64) })
        #expect(ProbeAdvice.line(for: digest, as: .okHttp, host: host) == "shop.example sha256/\(digest.base64)")
        #expect(ProbeAdvice.line(for: digest, as: .curl, host: host) == "sha256//\(digest.base64)")
    }

    @Test func jsonOnOneLineIsOneLine() {
        let value = JSONNode.Value.fields([
            ("a\n", .string("b\r\n\u{1B}\"\\")), ("n", .null), ("l", .list([.number("1"), .bool(true)])),
        ])
        #expect(JSONWriter.line(value) == #"{"a\n":"b\r\n\u001b\"\\","n":null,"l":[1,true]}"#)
    }

    @Test func textReportIsATable() async throws {
        let stage = try ProbeStage()
        let policy = try stage.policy(stage.leaf.spkiDigest, stage.backup.spkiDigest)
        let outcome = try await stage.probe(nil, "--policy", policy)
        #expect(outcome.status == .success)
        let lines = outcome.lines
        #expect(lines.contains { $0.hasPrefix("  #  chain         subject ") })
        let row = try #require(lines.first { $0.contains("CN=shop.example ") })
        for part in [
            "0  served+built", "CN=Intermediate", "EC P-256", "2031-03-14 to 2031-06-13", "90 d",
            "\(stage.leaf.spkiDigest)", "pin matches",
        ] {
            #expect(row.contains(part), "\(row)")
        }
        #expect(lines.contains { $0.hasPrefix("  -  built ") && $0.contains("CN=Root") })
        #expect(
            lines.contains("  TLS           TLSv1.3, TLS_AES_128_GCM_SHA256")
                || lines.contains { $0.hasPrefix("  TLS           TLSv1.3, ") })
        #expect(lines.contains("    \(stage.backup.spkiDigest)"))
        #expect(lines.last == "  allowed")
    }

    @Test func metricsOfAServerAreComplete() async throws {
        let stage = try ProbeStage()
        let policy = try stage.policy(stage.leaf.spkiDigest, stage.backup.spkiDigest)
        let outcome = try await stage.probe(nil, "--policy", policy, "--format", "prometheus")
        let text = outcome.output
        for name in [
            "reached{", "allowed{", "as_expected{", "verdict{", "tls_info{", "duration_seconds{", "timestamp_seconds{",
            "certificate_not_after_timestamp_seconds{", "certificate_pin_matched{", "pins{", "pins_unseen{",
        ] {
            #expect(text.contains("\nholdfast_probe_" + name), "\(name)")
        }
        #expect(text.contains("judge=\"policy\",code=\"pinMatched\"} 1\n"))
        // Every sample belongs to the family that was announced last, and no family is repeated.
        var families: [String] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# TYPE ") { families.append(String(line.split(separator: " ")[2])) }
            if !line.hasPrefix("#") { #expect(line.hasPrefix((families.last ?? "-") + "{"), "\(line)") }
        }
        #expect(Set(families).count == families.count)
        #expect(text.hasSuffix("\n"))
    }
}
