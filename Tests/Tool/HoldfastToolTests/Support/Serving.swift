import Foundation
import Testing

@testable import HoldfastTool

/// Runs `holdfast serve WHAT` in this process, on a free port.
enum Serving {
    /// Waits for the first JSON line of the server, and runs `body` concurrently with that line and the output so far.
    /// Returns the complete output.
    @discardableResult static func with<Ready: Decodable>(
        _ what: String, _ arguments: [String], _ body: (Ready, Transcript) async throws -> Void
    ) async throws -> Transcript {
        let transcript = Transcript()
        let lines = AsyncStream.makeStream(of: Void.self)
        let console = transcript.console
        let watched = Console(
            output: {
                try console.output($0)
                lines.continuation.yield()
            },
            notes: console.notes)
        try await withThrowingTaskGroup(of: ToolStatus.self) { group in
            group.addTask {
                let status = await ToolRun(console: watched).run(
                    ["serve", what, "--json", "--port", "0"] + arguments)
                lines.continuation.finish()
                return status
            }
            var isReady = false
            for await _ in lines.stream {
                isReady = true
                break
            }
            try #require(isReady, "\(transcript.notes)")
            let first = try #require(transcript.output.split(separator: "\n").first)
            try await body(try JSONDecoder().decode(Ready.self, from: Data(first.utf8)), transcript)
            group.cancelAll()
            #expect(try await group.next() == .success)
        }
        return transcript
    }
}
