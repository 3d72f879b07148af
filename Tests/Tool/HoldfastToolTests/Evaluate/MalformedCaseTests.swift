import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite("holdfast evaluate: malformed cases") struct MalformedCaseTests {
    let factory = CertificateFactory()
    let sound: TestCase

    init() throws {
        sound = TestCase("sound", try factory.leaf(["shop.example"], signedBy: try factory.authority("Root")))
    }

    /// Returns the error of a case, which must have no other fields.
    private func error(_ line: String) async throws -> Answer {
        let outcome = await ToolOutcome.of("evaluate", "--cases", "-", input: line + "\n")
        #expect(outcome.status == .success)
        let answer = try Answer.read(try #require(outcome.lines.count == 1 ? outcome.lines.first : nil))
        #expect(answer.decision == nil)
        return answer
    }

    @Test(arguments: [
        "", "{", "[]", "3", "null", "\"text\"", "{}}", "{\"id\": \"a\" \"host\"}", "\u{FEFF}{}", "{\"id\":\"\\ud800\"}",
    ])
    func nonObjectLinesAreErrors(_ line: String) async throws {
        let outcome = await ToolOutcome.of("evaluate", "--cases", "-", input: "\(line)\n\(try sound.line)\n")
        #expect(outcome.status == .success)
        let answers = try outcome.lines.map(Answer.read)
        // An empty line is not a case. The next case is still answered.
        #expect(answers.count == (line.isEmpty ? 1 : 2))
        #expect(answers.last?.decision == "allow")
        if !line.isEmpty { #expect(answers.first?.error?.hasPrefix("line 1: ") == true) }
    }

    @Test func invalidUTF8IsAnError() async throws {
        let transcript = Transcript(input: [0xFF, 0xFE, 0x00, 0x0A, 0x7B, 0xFF, 0x7D])
        let status = await ToolRun(console: transcript.console).run(["evaluate", "--cases", "-"])
        #expect(status == .success)
        #expect(transcript.output.split(separator: "\n").count == 2)
    }

    @Test func aMissingFieldIsNamed() async throws {
        for field in ["id", "chain", "host", "anchors"] {
            let answer = try await error(try sound.without(field).line)
            #expect(answer.error == "line 1: \(field) is missing")
            #expect(answer.id == (field == "id" ? nil : "sound"))
        }
    }

    @Test func aWrongTypeIsNamed() async throws {
        let wrong: [(String, any Sendable, String)] = [
            ("id", 7, "id is not text"),
            ("chain", "text", "chain is not a list"),
            ("chain", ["x", 3] as [any Sendable], "chain[1] is not text"),
            ("anchors", 3, "anchors is not a list"),
            ("anchors", "local", "anchors must be a list or \"system\""),
            ("anchors", ["garbage"], "anchors[0] is not PEM"),
            ("host", ["a"], "host is not text"),
            ("time", 1_700_000_000, "time is not text"),
            ("time", "yesterday", "time is not ISO 8601, as in 2026-03-01T12:00:00Z"),
            ("time", "2026-02-30T00:00:00Z", "time is not ISO 8601, as in 2026-03-01T12:00:00Z"),
            ("policy", "strict", "policy is not an object"),
        ]
        for (field, value, sentence) in wrong {
            #expect(try await error(try sound.with(field, value).line).error == "line 1: \(sentence)")
        }
    }

    @Test func aWrongPolicyIsNamed() async throws {
        let pem = try factory.authority("Any").certificatePEM
        let wrong: [([String: any Sendable], String)] = [
            (["pins": "x"], "policy.pins is not a list"),
            (["pins": ["x"]], "policy.pins[0] is not the base64 of a SHA-256"),
            (
                ["pins": [Data(repeating: 1, count: 31).base64EncodedString()]],
                "policy.pins[0] is not the base64 of a SHA-256"
            ),
            (["certificates": [pem, "garbage"]], "policy.certificates[1] is not PEM"),
            (["mode": "strict"], "policy.mode must be one of: system, pinnedKeysOnly"),
            (["enforce": 1], "policy.enforce is not true or false"),
            (
                ["enforce": false, "mode": "pinnedKeysOnly"],
                "policy.enforce cannot be false in the mode pinnedKeysOnly"
            ),
            (["scope": "root"], "policy.scope must be one of: any, leaf, ca"),
            (
                ["scope": "ca", "certificates": [pem], "mode": "pinnedKeysOnly"],
                "policy.scope applies to pins, not to certificates in the mode pinnedKeysOnly"
            ),
            (["expires": "soon"], "policy.expires is not ISO 8601, as in 2026-03-01 or 2026-03-01T12:00:00Z"),
            (["hostnameVerification": "maybe"], "policy.hostnameVerification must be one of: automatic, always, never"),
            (["hostnameVerification": "never"], "policy.hostnameVerification cannot be never in the mode system"),
        ]
        for (policy, sentence) in wrong {
            #expect(try await error(try sound.policy(policy).line).error == "line 1: \(sentence)")
        }
    }

    @Test func unknownFieldsAreIgnored() async throws {
        let answer = try await Answer.to(sound.with("comment", ["from": "elsewhere"]).with("expected", "FAILURE"))
        #expect(answer.decision == "allow")
    }

    @Test func aLineBeyondTheLimitIsAnErrorAndTheNextIsAnswered() async throws {
        let long = String(repeating: "x", count: EvaluateCommand.lineLimit + 1)
        let outcome = await ToolOutcome.of("evaluate", "--cases", "-", input: "\(long)\n\(try sound.line)")
        let answers = try outcome.lines.map(Answer.read)
        #expect(answers.map { $0.error == nil } == [false, true])
        #expect(answers.first?.error?.hasPrefix("line 1: ") == true)
    }

    @Test func aMissingFileIsOneSentence() async throws {
        let outcome = await ToolOutcome.of("evaluate", "--cases", "/nonexistent/cases.jsonl")
        outcome.expectUnusable("cannot open '/nonexistent/cases.jsonl': No such file or directory")
        await ToolOutcome.of("evaluate", "--cases", "/").expectUnusable("Is a directory")
    }

    @Test func aFileIsReadLikeStandardInput() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("cases.jsonl", "\(try sound.line)\r\n\n\(try sound.line)")
        let outcome = await ToolOutcome.of("evaluate", "--cases", file)
        #expect(outcome.lines.count == 2)
        #expect(try outcome.lines.map(Answer.read).allSatisfy { $0.decision == "allow" })
    }

    @Test func theOptionIsRequired() async throws {
        let outcome = await ToolOutcome.of("evaluate")
        #expect(outcome.status == .usage)
        #expect(outcome.output.isEmpty)
        #expect(outcome.notes.contains("--cases"))
    }
}
