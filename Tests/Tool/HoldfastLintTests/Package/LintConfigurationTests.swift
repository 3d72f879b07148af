import HoldfastLint
import Testing

@Suite("holdfast-lint.json") struct LintConfigurationTests {
    private func mistakes(_ text: String) -> [String] {
        do throws(LintFailure) {
            _ = try LintConfiguration(Array(text.utf8))
            return []
        } catch {
            return error.reasons
        }
    }

    @Test func everyKeyIsRead() throws {
        let text = """
            {"$schema": "x", "comment": 1, "files": ["Policies/*.json"], "certificates": ["App/Certificates"],
             "exclude": ["Tests"], "withinDays": 45, "strict": true}
            """
        let configuration = try LintConfiguration(Array(text.utf8))
        #expect(configuration.files?.map(\.text) == ["Policies/*.json"])
        #expect(configuration.certificates.map(\.text) == ["App/Certificates"])
        #expect(configuration.exclude.map(\.text) == ["Tests"])
        #expect(configuration.withinDays == 45)
        #expect(configuration.strict)
        #expect(try LintConfiguration(Array("{}".utf8)) == LintConfiguration())
    }

    @Test(arguments: [
        ("", "1:1"), ("[]", "expected an object"), ("{\"file\": []}", "\"file\" is unknown"),
        ("{\"files\": \"a\"}", "must be an array"), ("{\"files\": [1]}", "must be a string"),
        ("{\"files\": []}", "is empty"), ("{\"exclude\": [\"../a\"]}", "an empty name, . or .."),
        ("{\"certificates\": [\"/etc\"]}", "not relative"), ("{\"withinDays\": -1}", "from 0 to 3650"),
        ("{\"withinDays\": 3651}", "from 0 to 3650"), ("{\"withinDays\": 1.5}", "from 0 to 3650"),
        ("{\"withinDays\": \"30\"}", "from 0 to 3650"), ("{\"strict\": \"true\"}", "must be true or false"),
        ("{\"strict\": true, \"strict\": false}", "strict"),
    ])
    func mistakeIsReported(_ text: String, _ words: String) {
        let found = mistakes(text)
        #expect(found.count == 1)
        #expect(found.first?.contains(words) == true, "\(found)")
    }

    @Test("all mistakes are reported together, with their positions")
    func allMistakes() {
        let found = mistakes("{\"withinDays\": true,\n \"Strict\": true,\n \"files\": [\"\", \"a\"]}")
        #expect(found.map { $0.prefix(4) } == ["1:16", "2:2:", "3:12"], "\(found)")
    }

    @Test func manyPathsAreRefused() {
        let paths = Array(repeating: "\"a\"", count: LintConfiguration.patternLimit + 1).joined(separator: ",")
        #expect(mistakes("{\"files\": [\(paths)]}").first?.contains("more than 1000 paths") == true)
    }
}
