import HoldfastFormats
import HoldfastTrust
import Testing

/// A commented-out pin is ignored in every format that has comments, and is an error in the others.
@Suite("Comments") struct CommentTests {
    private static let options = PolicyReadOptions(host: "example.com", receivedAt: Timestamp(secondsSince1970: 0))

    private struct Found: Equatable {
        var pins: Set<SPKIDigest>
        var errors: [String]
    }

    private func digests(
        _ text: String, _ format: PolicyFormat, options: PolicyReadOptions = CommentTests.options
    ) -> Found {
        let document = PolicyFormats.read(text, as: format, options: options)
        let pins = document.domains.flatMap(\.pins) + document.pinSets.flatMap(\.pins)
        return Found(pins: Set(pins.compactMap(\.pin?.spkiDigest)), errors: document.codes(.error))
    }

    private let live: Set<SPKIDigest> = [TestPins.digest(1), TestPins.digest(2)]
    private let one = TestPins.one
    private let two = TestPins.two
    private let old = TestPins.three

    @Test func holdfastHasNoComments() {
        let rule =
            """
            {\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"a.example\", \"pins\": [\"\(one)\", \
            \"\(two)\"
            """
        #expect(digests(rule + "]}]}", .holdfast).pins == live)
        for comment in ["// , \"\(old)\"\n", "/* , \"\(old)\" */", "# , \"\(old)\"\n"] {
            #expect(digests(rule + comment + "]}]}", .holdfast).errors == ["invalid-json"])
        }
    }

    @Test func propertyLists() {
        let comment = "<!-- <string>\(old)</string> -->"
        let trustKit = """
            <plist><dict><key>TSKPinnedDomains</key><dict><key>a.example</key><dict><key>TSKPublicKeyHashes</key>
            <array>\(comment)<string>\(one)</string><string>\(two)<!-- \(old) --></string><!--
            <string>\(old)</string>
            --></array></dict></dict></dict></plist>
            """
        #expect(digests(trustKit, .trustKit) == Found(pins: live, errors: []))
        let pinned = """
            <plist><dict><key>NSPinnedDomains</key><dict><key>a.example</key><dict><key>NSPinnedCAIdentities</key>
            <array><dict><key>SPKI-SHA256-BASE64</key><string>\(one)</string></dict><!--
            <dict><key>SPKI-SHA256-BASE64</key><string>\(old)</string></dict>
            --><dict><key>SPKI-SHA256-BASE64</key>\(comment)<string>\(two)</string></dict></array>\
            </dict></dict></dict></plist>
            """
        #expect(digests(pinned, .pinnedDomains) == Found(pins: live, errors: []))
        let json =
            """
            {\"TSKPinnedDomains\": {\"a.example\": {\"TSKPublicKeyHashes\": [\"\(one)\", \"\(two)\" // \
            \"\(old)\"\n]}}}
            """
        #expect(digests(json, .trustKit).errors == ["invalid-json"])
    }

    @Test func android() {
        let text = """
            <network-security-config><!-- <domain-config><domain>b.example</domain></domain-config> -->
            <domain-config><domain>a.example</domain><pin-set><!-- <pin digest="SHA-256">\(old)</pin> -->
            <pin digest="SHA-256">\(one)</pin><pin digest="SHA-256"><!-- \(old) -->\(two)</pin>
            </pin-set></domain-config></network-security-config>
            """
        #expect(digests(text, .android) == Found(pins: live, errors: []))
    }

    @Test(arguments: [
        "# b.example sha256/OLD\n", "  # b.example sha256/OLD\n", "// b.example sha256/OLD\n",
        "/* b.example sha256/OLD */\n",
        "/*\nb.example sha256/OLD\n*/\n", "a.example sha256/ONE # sha256/OLD\n", "a.example sha256/ONE // sha256/OLD\n",
        "a.example /* sha256/OLD */ sha256/ONE\n", "# b.example sha256/OLD\r\n", "#b.example sha256/OLD (old)\n",
    ])
    func okHttpLines(_ comment: String) {
        let text = (comment + "a.example sha256/ONE sha256/TWO\n").replacing("ONE", with: one).replacing(
            "TWO", with: two
        )
        .replacing("OLD", with: old)
        #expect(digests(text, .okHttp) == Found(pins: live, errors: []))
    }

    @Test func commentsAloneAreNotPolicy() {
        #expect(digests("# a.example sha256/\(one)\n", .okHttp).errors == ["no-pinned-domains"])
        #expect(digests("a.example sha256/\(one)\n/* open", .okHttp).errors == ["malformed-source"])
    }

    @Test func headerHasNoComments() {
        let header = "pin-sha256=\"\(one)\"; pin-sha256=\"\(two)\"; max-age=60"
        #expect(digests(header, .hpkp).pins == live)
        for comment in ["# ", "// ", "/* */ "] {
            let found = digests(comment + header, .hpkp)
            #expect(!found.errors.isEmpty && found.pins.isEmpty, "\(comment)")
        }
        // A commented-out header above another header is a second header.
        #expect(!digests("# pin-sha256=\"\(old)\"\n" + header, .hpkp).errors.isEmpty)
        #expect(!digests(header + " // pin-sha256=\"\(old)\"", .hpkp).errors.isEmpty)
    }

    @Test func chromium() {
        func text(_ comment: String) -> String {
            """
            {"pinsets": [{"name": "s", "static_spki_hashes": [
              \(comment)
              "sha256/\(one)", "sha256/\(two)"]}], "entries": [{"name": "a.example", "pins": "s"}]}
            """
        }
        #expect(digests(text("// \"sha256/\(old)\","), .chromium) == Found(pins: live, errors: []))
        for comment in ["/* \"sha256/\(old)\", */", "# \"sha256/\(old)\",", "\"sha256/\(old)\", // old"] {
            #expect(digests(text(comment), .chromium).errors == ["invalid-json"], "\(comment)")
        }
        let named = text("").replacing("sha256/\(one)", with: "KeyA").replacing("sha256/\(two)", with: "KeyB")
        let keys = "# KeyA\n# sha256/\(old)\nKeyA\n# sha256/\(old)\nsha256/\(one)\nKeyB\nsha256/\(two)\n"
        let options = PolicyReadOptions(keys: Array(keys.utf8))
        #expect(digests(named, .chromium, options: options) == Found(pins: live, errors: []))
    }

    @Test func curl() {
        let pins = "pinnedpubkey = \"sha256//\(one);sha256//\(two)\"\n"
        #expect(digests("# pinnedpubkey = \"sha256//\(old)\"\n" + pins, .curl) == Found(pins: live, errors: []))
        #expect(digests("  #sha256//\(old)\n" + pins, .curl) == Found(pins: live, errors: []))
        // curl does not support a comment after a value.
        #expect(!digests("\(pins.dropLast()) # sha256//\(old)", .curl).errors.isEmpty)
    }
}
