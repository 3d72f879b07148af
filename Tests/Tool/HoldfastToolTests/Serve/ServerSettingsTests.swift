import ArgumentParser
import Testing

@testable import HoldfastTool

/// Settings of servers from the environment and from a file.
@Suite("Tool: settings of servers") struct ServerSettingsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func collector(
        _ arguments: [String] = [], environment: [String: String] = [:], file: String? = nil
    ) throws -> ServeCollectorCommand {
        var arguments = ["serve", "collector"] + arguments
        if let file { arguments += ["--config", try folder.file("collector.json", file)] }
        let settings = try ServerSettings(arguments, environment: environment)
        return try #require(try Holdfast.parseAsRoot(settings.arguments) as? ServeCollectorCommand)
    }

    @Test func theCommandLineComesFirstThenTheEnvironment() throws {
        let file = #"{"keep": 1, "keep-days": 2, "per-minute": 3, "host": "localhost"}"#
        let environment = ["HOLDFAST_COLLECTOR_KEEP": "10", "HOLDFAST_COLLECTOR_KEEP_DAYS": "20"]
        let command = try collector(["--keep=100"], environment: environment, file: file)
        #expect(command.keep == 100)
        #expect(command.keepDays == 20)
        #expect(command.perMinute == 3)
        #expect(command.host == "localhost")
        #expect(command.port == 8_475)
    }

    @Test func aListIsReplacedAsAWhole() throws {
        let file = #"{"path": ["/a", "/b,c"]}"#
        #expect(try collector(file: file).path == ["/a", "/b,c"])
        let environment = ["HOLDFAST_COLLECTOR_PATH": "/c,/d"]
        #expect(try collector(environment: environment, file: file).path == ["/c", "/d"])
        #expect(try collector(["--path", "/e"], environment: environment, file: file).path == ["/e"])
    }

    @Test func aFlagCanBeFalse() throws {
        #expect(try collector(file: #"{"no-desk": true}"#).desk.noDesk)
        #expect(try !collector(file: #"{"no-desk": false}"#).desk.noDesk)
        let environment = ["HOLDFAST_COLLECTOR_NO_DESK": "false"]
        #expect(try !collector(environment: environment, file: #"{"no-desk": true}"#).desk.noDesk)
        #expect(try collector(["--no-desk"], environment: environment).desk.noDesk)
    }

    /// A value that begins with a dash is not another option.
    @Test func valuesAreNotOptions() throws {
        #expect(try collector(file: #"{"database": "--no-desk"}"#).database == "--no-desk")
        #expect(try collector(environment: ["HOLDFAST_COLLECTOR_DATABASE": "-x"]).database == "-x")
    }

    @Test func theEnvironmentNamesTheFile() throws {
        let first = try folder.file("first.json", #"{"keep": 5}"#)
        let second = try folder.file("second.json", #"{"keep": 6}"#)
        let environment = ["HOLDFAST_COLLECTOR_CONFIG": first]
        #expect(try collector(environment: environment).keep == 5)
        #expect(try collector(["--config=\(second)"], environment: environment).keep == 6)
    }

    // MARK: Refusals

    static let mistakes = [
        (#"{"keeps": 1}"#, "1:2: there is no setting \"keeps\""), (#"{"config": "x"}"#, "there is no setting"),
        (#"{"token": "0123456789abcdef"}"#, "there is no setting \"token\""), ("[]", "must be an object"),
        (#"{"keep": true}"#, "\"keep\" must be a text that is not empty, or a number, and is a boolean"),
        (#"{"keep": null}"#, "null"), (#"{"database": ""}"#, "not empty"), (#"{"path": "/a"}"#, "must be a list"),
        (#"{"path": [1]}"#, "must be a list"), (#"{"path": []}"#, "the list is empty"),
        (#"{"no-desk": "yes"}"#, "must be true or false"), (#"{"keep": 1, "keep": 2}"#, "keep"), ("{", "1:"),
    ]

    @Test(arguments: mistakes) func mistakesInAFileAreErrors(_ file: String, _ words: String) async throws {
        let path = try folder.file("collector.json", file)
        let transcript = Transcript()
        let status = await ToolRun(console: transcript.console, environment: [:]).run(
            ["serve", "collector", "--config", path])
        #expect(status == .usage)
        #expect(transcript.notes.contains(words), "\(transcript.notes)")
        #expect(transcript.notes.contains(path), "\(transcript.notes)")
        // A file with a secret by mistake must not reach a log.
        #expect(!transcript.notes.contains("0123456789abcdef"))
    }

    @Test func aMissingFileIsAnError() async {
        await ToolOutcome.of("serve", "collector", "--config", "/no/such/file").expectUnusable("/no/such/file")
    }

    @Test(arguments: [
        ("HOLDFAST_COLLECTOR_KEEP", "", "is empty"), ("HOLDFAST_COLLECTOR_CONFIG", "", "is empty"),
        ("HOLDFAST_COLLECTOR_NO_DESK", "yes", "must be true or false"),
        ("HOLDFAST_COLLECTOR_PATH", "/a,,/b", "empty element"),
        ("HOLDFAST_COLLECTOR_PORT", "tcp://10.0.0.1:8475", "--port (HOLDFAST_COLLECTOR_PORT)"),
        ("HOLDFAST_COLLECTOR_KEEP_DAYS", "0", "--keep-days (HOLDFAST_COLLECTOR_KEEP_DAYS)"),
        ("HOLDFAST_COLLECTOR_IDENTITIES", "0", "--identities (HOLDFAST_COLLECTOR_IDENTITIES)"),
        ("HOLDFAST_COLLECTOR_IDENTITY_DAYS", "0", "--identity-days (HOLDFAST_COLLECTOR_IDENTITY_DAYS)"),
    ])
    func mistakesInTheEnvironmentAreErrors(_ variable: String, _ value: String, _ words: String) async {
        let transcript = Transcript()
        let status = await ToolRun(console: transcript.console, environment: [variable: value]).run(
            ["serve", "collector"])
        #expect(status == .usage)
        #expect(transcript.notes.contains(words), "\(transcript.notes)")
    }

    @Test func variablesWithoutEffectAreListed() throws {
        let environment = [
            "HOLDFAST_COLLECTOR_KEEPS": "1", "HOLDFAST_COLLECTOR_TOKEN": "x", "HOLDFAST_COLLECTOR_KEEP": "1",
            "HOLDFAST_CHAT_PORT": "1",
        ]
        let settings = try ServerSettings(["serve", "collector"], environment: environment)
        #expect(settings.unknownVariables == ["HOLDFAST_COLLECTOR_KEEPS"])
        #expect(settings.arguments == ["serve", "collector", "--keep=1"])
    }

    @Test func otherCommandsAreNotChanged() throws {
        let environment = ["HOLDFAST_COLLECTOR_KEEP": "1", "HOLDFAST_CHAT_PORT": "1"]
        for arguments in [["lint", "x"], ["serve"], ["serve", "collector", "--help"], []] {
            #expect(try ServerSettings(arguments, environment: environment).arguments == arguments)
        }
    }
}
