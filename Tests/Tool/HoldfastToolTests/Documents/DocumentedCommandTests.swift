import ArgumentParser
import Foundation
import Testing

@testable import HoldfastTool

/// Runs every command line in the documents. The simulations of some documents take minutes on a busy machine.
@Suite("Documents: commands", .timeLimit(.minutes(20))) struct DocumentedCommandTests {
    @Test(arguments: Documentation.withCommands)
    func everyCommandEndsAsDocumented(_ document: MarkdownDocument) async throws {
        try await DocumentStage.with { stage async throws in
            for command in document.commands {
                let marker = document.marker(for: command)
                guard marker.reason == nil, DocumentStage.isInstalled(command.text) else { continue }
                let line = stage.localized(command, marker)
                let end = try await stage.run(line, isServer: marker.isServer)
                #expect(
                    end.code == marker.exitCode,
                    """
                    \(command.testDescription)
                    It ran as: \(line)
                    If it cannot run in a test, say how or why in a comment before it (CommandMarker.swift).
                    \(end.output)
                    """)
            }
        }
    }

    @Test func everyMarkerIsUsedAndReadable() {
        for document in Documentation.documents {
            #expect(document.badMarkers.isEmpty, "\(document.path): \(document.badMarkers)")
            let used = document.commands.map { document.marker(for: $0).beginning }
            for beginning in document.markers.map(\.beginning) {
                #expect(used.contains(beginning), "\(document.path): no command begins with: \(beginning)")
            }
        }
    }

    @Test func namedCommandsExist() throws {
        let script = try String(contentsOf: Documentation.root.appendingPathComponent("run"), encoding: .utf8)
        for mention in Documentation.documents.flatMap(\.mentions) {
            let words = mention.text.split(separator: " ").map(String.init)
            guard words[0] == "holdfast" || words[0] == "./run" else { continue }
            if words[0] == "./run", script.contains("\n    \(words[1]))") { continue }
            var level: any ParsableCommand.Type = Holdfast.self
            for word in words.dropFirst() {
                let next = level.configuration.subcommands.first { $0.configuration.commandName == word }
                guard let next else {
                    Issue.record("\(mention.testDescription): there is no command \(word)")
                    break
                }
                level = next
            }
        }
    }

    /// Checks that the tests above can fail.
    @Test func detectsInvalidCommands() async throws {
        try await DocumentStage.with { stage async throws in
            #expect(try await stage.run("holdfast lint policy.json", isServer: false).code == 0)
            #expect(try await stage.run("holdfast lint --no-such-option", isServer: false).code == 64)
            #expect(try await stage.run("holdfast serve chat --root x", isServer: true).code == 64)
            #expect(try await stage.run("holdfast serve chat --in-memory --json --port 0", isServer: true).code == 0)
        }
    }
}
