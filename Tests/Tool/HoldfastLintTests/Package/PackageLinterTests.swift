import Foundation
import HoldfastLint
import HoldfastTestSupport
import HoldfastTrust
import Testing

@Suite("Checking a package") struct PackageLinterTests {
    let folder: LintedPackage

    init() throws {
        folder = try LintedPackage()
    }

    private let infoPlist = """
        <plist><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>example.com</key><dict>
        <key>NSPinnedLeafIdentities</key><array>
        <dict><key>SPKI-SHA256-BASE64</key><string>\(LintedPackage.pins[0])</string></dict>
        <dict><key>SPKI-SHA256-BASE64</key><string>\(LintedPackage.pins[1])</string></dict>
        </array></dict></dict></dict></dict></plist>
        """

    // MARK: - Search

    @Test("the search finds policies by name and by contents, and nothing else")
    func search() throws {
        try folder.policy("Sources/App/shop.holdfast.json")
        try folder.policy("policy.json")
        try folder.write("App/Info.plist", infoPlist)
        try folder.write("app/src/main/res/xml/network_security_config.xml", "<network-security-config/>")
        try folder.write("other.json", "{\"name\": \"holdfast\", \"dependencies\": {\"holdfast\": {\"version\": 1}}}")
        try folder.write("Other.plist", "<plist><dict><key>CFBundleName</key><string>App</string></dict></plist>")
        try folder.write("pins.txt", "example.com sha256/\(LintedPackage.pins[0])")
        let found = try folder.check().checked
        #expect(
            found == [
                "App/Info.plist", "Sources/App/shop.holdfast.json", "app/src/main/res/xml/network_security_config.xml",
                "policy.json",
            ])
    }

    @Test("a damaged policy is found and reported, not skipped")
    func damagedPolicy() throws {
        try folder.write("a.holdfast.json", "not JSON")
        try folder.write("b.json", "{\"holdfast\" : 1, ")
        let outcome = try folder.check()
        #expect(outcome.checked == ["a.holdfast.json", "b.json"])
        #expect(!outcome.passes)
        #expect(outcome.report.lines().count == 2)
    }

    @Test("build folders, other packages and links are left out")
    func leftOut() throws {
        try folder.policy("shop.holdfast.json")
        try folder.policy(".build/checkouts/a/a.holdfast.json")
        try folder.policy("Examples/Other/b.holdfast.json")
        try folder.write("Examples/Other/Package.swift", "// swift-tools-version: 6.2")
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: folder.path + "/loop", withDestinationPath: folder.path)
        try manager.createSymbolicLink(
            atPath: folder.path + "/link.holdfast.json", withDestinationPath: folder.path + "/shop.holdfast.json")
        #expect(try folder.check().checked == ["shop.holdfast.json"])
    }

    @Test("the number of files has a limit")
    func entryLimit() throws {
        for index in 0..<4 { try folder.write("folder/\(index)", "") }
        _ = try PackageFiles(folder: folder.path, limit: 5)
        #expect(throws: LintFailure.self) { try PackageFiles(folder: folder.path, limit: 4) }
    }

    @Test("a package without pins cannot pass")
    func nothingToCheck() throws {
        try folder.write("Package.swift", "// swift-tools-version: 6.2")
        #expect(folder.reasons().first?.contains("there is nothing to check") == true)
        try folder.policy("Sources/A/a.holdfast.json")
        #expect(folder.reasons().isEmpty)
        try folder.write("Sources/B/B.swift", "")
        #expect(folder.reasons(scope: ["Sources/B"]).first?.contains("there is nothing to check") == true)
    }

    @Test func missingPackageIsNamed() {
        let linter = PackageLinter(folder: "/nonexistent/a", times: LintTimes(time: LintedPackage.now), roots: [])
        #expect(throws: LintFailure("cannot list the folder '/nonexistent/a'")) { try linter.outcome() }
    }

    // MARK: - Configuration

    @Test("the configuration replaces the search, and adds folders of certificates")
    func configuredFiles() throws {
        let factory = CertificateFactory()
        for name in ["a", "b"] {
            try folder.write("App/Certificates/\(name).cer", try factory.authority(name).certificateDER)
        }
        try folder.policy("shop.holdfast.json")
        try folder.write("pins.txt", "example.com sha256/\(LintedPackage.pins[0]) sha256/\(LintedPackage.pins[1])\n")
        try folder.write(
            "holdfast-lint.json", "{\"files\": [\"pins.txt\"], \"certificates\": [\"App/Certificates/\"]}")
        #expect(try folder.check().checked == ["pins.txt", "App/Certificates"])
        try folder.write("holdfast-lint.json", "{\"certificates\": [\"**/Certificates\"], \"exclude\": [\"App\"]}")
        #expect(try folder.check().checked == ["shop.holdfast.json"])
        try folder.write("holdfast-lint.json", "{\"exclude\": [\"**/*.holdfast.json\"]}")
        #expect(folder.reasons().first?.contains("there is nothing to check") == true)
    }

    @Test("a path that matches nothing is an error, because a misspelled path would switch off the check")
    func unmatchedPaths() throws {
        try folder.policy("shop.holdfast.json")
        try folder.write(
            "holdfast-lint.json", "{\"files\": [\"shop.json\", \"*.json\"], \"certificates\": [\"Certs\"]}")
        let reasons = folder.reasons()
        #expect(reasons.count == 2)
        #expect(reasons.contains { $0.contains("\"shop.json\" does not match any file") }, "\(reasons)")
        #expect(reasons.contains { $0.contains("\"Certs\" does not match any folder") }, "\(reasons)")
    }

    @Test("an invalid configuration has a position, and a link that leads nowhere is not ignored")
    func invalidConfiguration() throws {
        try folder.policy("shop.holdfast.json")
        try folder.write("holdfast-lint.json", "{\"days\": 30}")
        #expect(folder.reasons().first?.hasPrefix("\(folder.path)/holdfast-lint.json:1:2: ") == true)
        try FileManager.default.removeItem(atPath: folder.path + "/holdfast-lint.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/holdfast-lint.json", withDestinationPath: "nowhere")
        #expect(folder.reasons().first?.contains("cannot read") == true)
    }

    // MARK: - Time

    @Test("pins fail the check from the given number of days before they expire")
    func pinsEnd() throws {
        try folder.policy("shop.holdfast.json", days: 40)
        #expect(try folder.check().passes)
        #expect(try !folder.check(days: 40).passes)
        #expect(try folder.check(days: 39).passes)
        let line = try folder.check(days: 40).report.lines().first
        #expect(line?.hasPrefix("\(folder.path)/shop.holdfast.json:2:14: warning: ") == true, "\(line ?? "")")
        #expect(line?.contains("[expires-soon]") == true)
        try folder.write("holdfast-lint.json", "{\"withinDays\": 40}")
        #expect(try !folder.check().passes)
        #expect(try folder.check(days: 39).passes, "the command line has priority")
    }

    @Test("certificates fail the check from the given number of days before they expire")
    func certificatesEnd() throws {
        let factory = CertificateFactory()
        var options = CertificateOptions()
        options.notAfter = LintedPackage.now.advanced(bySeconds: 40 * 86_400)
        for name in ["a", "b"] {
            let leaf = try factory.leaf([name], signedBy: try factory.authority("Root"), options)
            try folder.write("Certificates/\(name).cer", leaf.certificateDER)
        }
        try folder.write("holdfast-lint.json", "{\"certificates\": [\"Certificates\"]}")
        #expect(try folder.check().passes)
        #expect(try !folder.check(days: 41).passes)
    }

    @Test("strict fails for a note as well")
    func strict() throws {
        let host = "{\"host\": \"example.com\", \"pins\": [\"\(LintedPackage.pins[0])\", \"\(LintedPackage.pins[1])\"]"
        try folder.write(
            "a.holdfast.json",
            "{\"holdfast\": 1, \"name\": \"a\", \"domains\": [\(host), \"enforcement\": \"reportOnly\"}]}")
        let outcome = try folder.check()
        #expect(outcome.passes)
        #expect(outcome.report.lines().first?.contains(" note: ") == true)
        #expect(try !folder.check(strict: true).passes)
        try folder.write("holdfast-lint.json", "{\"strict\": true}")
        #expect(try !folder.check().passes)
    }

    // MARK: - Scope

    @Test("a scope limits the check to folders of the package")
    func scope() throws {
        try folder.policy("Sources/A/a.holdfast.json")
        try folder.policy("Sources/AB/b.holdfast.json")
        #expect(try folder.check(scope: ["Sources/A"]).checked == ["Sources/A/a.holdfast.json"])
        #expect(try folder.check(scope: [folder.path + "/Sources/AB/"]).checked == ["Sources/AB/b.holdfast.json"])
        #expect(try folder.check(scope: [folder.path]).checked.count == 2)
        for outside in ["/etc", "Sources/C", "Sources/A/..", folder.path + "/../x", ".."] {
            #expect(folder.reasons(scope: [outside]).first?.contains("is not a folder of") == true, "\(outside)")
        }
    }
}
