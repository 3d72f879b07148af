import Dispatch
import Foundation
import HoldfastTestSupport
import Testing

/// Runs the script of the GitHub action with a tool that prints its arguments.
@Suite("The action lint-pins", .timeLimit(.minutes(1))) struct LintActionTests {
    private static let action = Repository.root.path + "/.github/actions/lint-pins"
    private let folder: LintedPackage

    init() throws {
        folder = try LintedPackage()
    }

    private struct Run {
        var code: Int32
        /// The arguments of the tool, one per line.
        var arguments: [String]
        var errors: String
    }

    /// Installs the tool under a name, which ends with this exit code.
    ///
    /// Another process writes the file. If this process had it open for writing while another test starts a program,
    /// that program would inherit the descriptor, and the file could not be executed (`ETXTBSY`).
    private func install(_ name: String, code: Int32 = 0) async throws -> String {
        let text = "#!/bin/sh\nfor argument do printf '[%s]\\n' \"$argument\"; done\nexit \(code)\n"
        let path = folder.path + "/" + name
        let (status, _) = try await shell(["-c", "printf %s \"$1\" >\"$0\" && chmod 755 \"$0\"", path, text])
        try #require(status == 0)
        return path
    }

    /// Runs the script with these inputs.
    private func run(_ inputs: [String: String]) async throws -> Run {
        let log = folder.path + "/errors.log"
        let environment = Dictionary(uniqueKeysWithValues: inputs.map { ("LINT_PINS_\($0)", $1) })
        let script = ["-c", "exec sh \"$0\" 2>\"$1\"", Self.action + "/lint-pins.sh", log]
        let (code, output) = try await shell(script, environment)
        return Run(
            code: code, arguments: String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init),
            errors: String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self))
    }

    /// Runs a shell in the folder. Returns its exit code and its output.
    private func shell(_ arguments: [String], _ variables: [String: String] = [:]) async throws -> (Int32, Data) {
        let place = folder.path
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try Self.end(of: arguments, variables, in: place) })
            }
        }
    }

    private static func end(
        of arguments: [String], _ variables: [String: String], in place: String
    ) throws -> (Int32, Data) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: place)
        process.environment = variables.merging(["PATH": "/usr/bin:/bin"]) { first, _ in first }
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    @Test("the package is checked by default, and each input becomes one option")
    func options() async throws {
        let tool = try await install("holdfast-lint")
        #expect(try await run(["TOOL": tool]).arguments == ["[--format=text]", "[--package=.]"])
        let all = try await run([
            "TOOL": tool, "PACKAGE": "My App", "WITHIN_DAYS": "45", "AT": "2031-01-31", "STRICT": "true",
            "FORMAT": "json", "PATHS": "",
        ])
        #expect(all.code == 0)
        #expect(
            all.arguments == [
                "[--within-days=45]", "[--at=2031-01-31]", "[--strict]", "[--format=json]", "[--package=My App]",
            ])
        let whole = try await run(["TOOL": try await install("holdfast"), "PATHS": "a.json\n\nCertificates\n"])
        #expect(whole.arguments == ["[lint]", "[--format=text]", "[--]", "[a.json]", "[Certificates]"])
    }

    @Test("the exit code of the tool is that of the step", arguments: [1, 2, 64] as [Int32])
    func exitCodes(_ code: Int32) async throws {
        #expect(try await run(["TOOL": try await install("holdfast-lint", code: code)]).code == code)
    }

    @Test("the result can go to a file, also if the check fails")
    func output() async throws {
        let result = folder.path + "/result.sarif"
        let outcome = try await run(["TOOL": try await install("holdfast-lint", code: 1), "OUTPUT": result])
        #expect(outcome.code == 1)
        #expect(outcome.arguments.isEmpty)
        #expect(try String(contentsOfFile: result, encoding: .utf8) == "[--format=text]\n[--package=.]\n")
    }

    /// An empty file would be uploaded, and its error would hide that of the tool.
    @Test("an unusable run leaves the file of the result as it was", arguments: [2, 64, 126] as [Int32])
    func noOutput(_ code: Int32) async throws {
        let tool = try await install("holdfast-lint", code: code)
        let result = folder.path + "/result.sarif"
        for earlier in [nil, "earlier"] {
            if let earlier { try folder.write("result.sarif", earlier) }
            let outcome = try await run(["TOOL": tool, "OUTPUT": result])
            #expect(outcome.code == code)
            #expect(!outcome.errors.contains("the result is in the file"))
            #expect((try? String(contentsOfFile: result, encoding: .utf8)) == earlier)
            #expect(!FileManager.default.fileExists(atPath: result + ".new"))
        }
    }

    @Test("the name of the result's file is not an option", arguments: ["-f", "--help", "a b", "$(touch pwned)"])
    func outputNames(_ name: String) async throws {
        let outcome = try await run(["TOOL": try await install("holdfast-lint"), "OUTPUT": name])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(FileManager.default.fileExists(atPath: folder.path + "/" + name))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/pwned"))
        #expect(try await run(["TOOL": try await install("holdfast-lint"), "OUTPUT": "missing/file"]).code == 2)
    }

    /// A pull request may choose file names, and a workflow may pass them to the action.
    @Test(
        "an input cannot run a command or add an option",
        arguments: [
            "$(touch pwned)", "`touch pwned`", "; touch pwned #", "\" && touch pwned; \"", "' && touch pwned; '",
            "| touch pwned", "--stamp=pwned", "*", "a b", "${IFS}", "\\", "-",
        ])
    func attacks(_ input: String) async throws {
        let tool = try await install("holdfast-lint")
        let paths = try await run(["TOOL": tool, "PATHS": input])
        #expect(paths.arguments == ["[--format=text]", "[--]", "[\(input)]"])
        let options = try await run(["TOOL": tool, "PACKAGE": input, "WITHIN_DAYS": input, "AT": input])
        #expect(
            options.arguments == [
                "[--within-days=\(input)]", "[--at=\(input)]", "[--format=text]", "[--package=\(input)]",
            ])
        #expect(try await run(["TOOL": tool, "STRICT": input]).code == 2)
        let program = try await run(["TOOL": input])
        #expect(program.code != 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/pwned"))
    }

    @Test("the attack works if the input is part of the script")
    func attackWithoutProtection() async throws {
        _ = try await shell(["-c", "echo $(touch pwned)"])
        #expect(FileManager.default.fileExists(atPath: folder.path + "/pwned"))
    }

    @Test func emptyPathsAreRefused() async throws {
        let outcome = try await run(["TOOL": try await install("holdfast-lint"), "PATHS": "\n\n"])
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("has only empty lines"))
    }

    // MARK: - action.yml

    @Test("every input is a variable of the step, and no expression is part of the script")
    func inputsAreVariables() throws {
        let text = try String(contentsOfFile: Self.action + "/action.yml", encoding: .utf8)
        let script = try String(contentsOfFile: Self.action + "/lint-pins.sh", encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init)
        let inputs = lines.prefix { !$0.hasPrefix("runs:") }.compactMap { $0.wholeMatch(of: #/  ([a-z-]+):/#)?.1 }
        #expect(inputs.count == 8)
        let variables = inputs.map { "LINT_PINS_" + $0.uppercased().replacing("-", with: "_") }
        let expected = zip(variables, inputs).map { "        \($0): ${{ inputs.\($1) }}" }
        #expect(lines.filter { $0.contains("${{") } == expected)
        for variable in variables { #expect(script.contains("${\(variable)"), "\(variable)") }
    }

    @Test(
        "a YAML parser reads the action as intended",
        .enabled(if: LintActionTests.parsesYAML, "python3 with its module yaml is missing"))
    func parsedAction() throws {
        let object = try #require(try Self.parsed(Self.action + "/action.yml") as? [String: Any])
        let runs = try #require(object["runs"] as? [String: Any])
        #expect(runs["using"] as? String == "composite")
        let steps = try #require(runs["steps"] as? [[String: Any]])
        #expect(steps.count == 1)
        #expect(steps.first?["run"] as? String == "exec sh \"$GITHUB_ACTION_PATH/lint-pins.sh\"")
        #expect((steps.first?["env"] as? [String: String])?.count == 8)
        #expect((object["inputs"] as? [String: [String: String]])?["format"]?["default"] == "text")
    }

    private static let parsesYAML = (try? parsed(action + "/action.yml")) != nil

    /// Returns a YAML file as JSON; throws if there is no parser. The parser prints only a few kilobytes.
    private static func parsed(_ path: String) throws -> Any {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let python = ProcessInfo.processInfo.environment["HOLDFAST_PYTHON"] ?? "python3"
        process.arguments = [
            python, "-c", "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))", path,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try JSONSerialization.jsonObject(with: output)
    }
}
