import ChatCenter
import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite("The version") struct VersionTests {
    @Test func optionPrintsTheVersionOfThePackage() async {
        let outcome = await ToolOutcome.of("--version")
        #expect(outcome.status == .success)
        #expect(outcome.output == "holdfast \(ChatCenterUISDK.version)\n")
        #expect(outcome.notes.isEmpty)
        let help = await ToolOutcome.of("--help").output
        #expect(help.contains("holdfast --version"))
    }

    @Test func optionStandsAlone() async {
        for arguments in [["--version", "pin"], ["--version", "--version"], ["pin", "--version"]] {
            let outcome = await ToolOutcome.of(arguments)
            #expect(outcome.status == .usage, "\(arguments)")
            #expect(outcome.output.isEmpty)
        }
    }

    /// `bundle sign --version` is the version of a bundle. An incomplete command line must not print the tool's version
    /// and succeed.
    @Test func bundleVersionIsAnotherOption() async {
        let outcome = await ToolOutcome.of("bundle", "sign", "policy.json", "--version", "3")
        #expect(outcome.status == .usage)
        #expect(outcome.output.isEmpty)
        #expect(outcome.notes.contains("--key"))
    }

    @Test func changelogHasTheVersion() throws {
        let text = try String(contentsOf: Repository.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
        // Before the first release, all changes are unreleased.
        let released = headings.compactMap { try? #/\[?(\d+\.\d+\.\d+)\b.*/#.wholeMatch(in: $0)?.output.1 }
        #expect(headings.first == "Unreleased" || !released.isEmpty)
        #expect(released.first ?? Substring(ChatCenterUISDK.version) == ChatCenterUISDK.version)
        #expect(ChatCenterUISDK.version.wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil)
    }

    @Test func onlyOneFileContainsTheVersion() throws {
        let root = Repository.root.path + "/Sources"
        let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        let named = files.filter { file in
            guard file.hasSuffix(".swift"), let data = FileManager.default.contents(atPath: root + "/" + file) else {
                return false
            }
            return String(decoding: data, as: UTF8.self).contains("\"\(ChatCenterUISDK.version)\"")
        }
        #expect(named == ["Base/HoldfastBase/PackageVersion.swift"])
    }
}
