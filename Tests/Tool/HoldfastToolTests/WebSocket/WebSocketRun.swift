import Foundation

@testable import HoldfastTool

/// A run of `holdfast ws` in this process.
enum WebSocketRun {
    /// An event that `--json` printed, without the time.
    struct Event: Decodable {
        struct Fault: Decodable {
            var code: String
            var violation: String?
        }

        struct Probe: Decodable {
            struct Advice: Decodable {
                var place: String
                var line: String
            }

            var result: String
            var advice: Advice?
        }

        var event: String
        var atMicros: Int64
        var kind: String?
        var text: String?
        var base64: String?
        var bytes: Int?
        var code: Code?
        var status: Int?
        var clean: Bool?
        var by: String?
        var fault: Fault?
        var missing: Int?
        var exitCode: Int?
        var durationMicros: Int64?
        var deflate: Bool?
        var subprotocol: String?
        var finding: String?
        var opcode: String?
        var direction: String?
        var probe: Probe?

        /// The code: a number if a connection was closed, a name if there was none.
        enum Code: Decodable, Equatable {
            case number(Int)
            case name(String)

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                if let number = try? value.decode(Int.self) {
                    self = .number(number)
                } else {
                    self = .name(try value.decode(String.self))
                }
            }
        }
    }

    /// Runs the command with this input in a pipe.
    static func of(_ arguments: String..., input: String = "") async -> ToolOutcome {
        let transcript = Transcript(input: Array(input.utf8))
        let status = await ToolRun(console: transcript.console).run(["ws"] + arguments)
        return ToolOutcome(status: status, output: transcript.output, notes: transcript.notes)
    }

    /// Returns the events in the output of `--json`.
    static func events(_ outcome: ToolOutcome) throws -> [Event] {
        try outcome.lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
    }

    /// Runs the command as at a terminal. `body` types and checks the output; the run continues until the command ends.
    static func typing(
        _ arguments: [String], _ body: @escaping @Sendable (TypedInput, Transcript) async throws -> Void
    ) async throws -> ToolOutcome {
        let transcript = Transcript(isInteractive: true)
        let input = TypedInput()
        let base = transcript.console
        let console = Console(
            output: base.output, notes: base.notes, input: { input.read($0) }, isInteractive: true,
            inputIsTerminal: true, outputIsTerminal: true)
        let status = try await withThrowingTaskGroup(of: ToolStatus?.self) { group in
            group.addTask { await ToolRun(console: console).run(["ws"] + arguments) }
            group.addTask {
                // The command ends even if the body throws.
                defer { input.end() }
                try await body(input, transcript)
                return nil
            }
            var status: ToolStatus?
            for try await result in group { status = result ?? status }
            return status
        }
        return ToolOutcome(status: status ?? .usage, output: transcript.output, notes: transcript.notes)
    }
}

extension Transcript {
    /// Waits until standard error contains this.
    func said(_ text: String) async -> Bool { await becomes { $0.notes.contains(text) } }

    /// Waits until standard output contains this.
    func printed(_ text: String) async -> Bool { await becomes { $0.output.contains(text) } }

    /// Waits until the test's time limit.
    private func becomes(_ condition: (Transcript) -> Bool) async -> Bool {
        while !Task.isCancelled {
            if condition(self) { return true }
            await Task.yield()
        }
        return false
    }
}
