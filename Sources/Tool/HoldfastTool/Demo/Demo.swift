import ChatDevServer
import HoldfastTrust

/// Runs the demo's steps in order and collects the results.
struct Demo: Sendable {
    /// The steps.
    var steps: [DemoStep] = DemoStep.all
    /// The port of the chat server on 127.0.0.1; 0 for a free one.
    var port = 0
    /// The clock for judging certificates; the certificates' validity is based on it as well.
    var clock = TrustClock.system
    /// Prints the demo's progress.
    var narrator: DemoNarrator

    /// Starts the chat server, runs the steps, and calls `afterwards` with the report while the server still runs.
    ///
    /// Throws ``ToolError`` if the demo cannot be set up. A failed step is a result, not an error.
    func run(afterwards: @Sendable (DemoReport, DemoStage) async throws -> Void) async throws -> DemoReport {
        let folder = try WorkFolder()
        let authority = try ServerCertificateAuthority(now: clock.now())
        var configuration = ChatDevServerConfiguration()
        configuration.port = port
        configuration.tls = try authority.identity(for: .genuine)
        configuration.databasePath = folder.path("server.sqlite")
        configuration.filesDirectory = folder.path("files")
        configuration.botDelay = .milliseconds(200)
        do {
            return try await ChatDevServer.with(configuration) { server in
                let address = try await server.started()
                let stage = DemoStage(
                    authority: authority, server: server, address: address, clock: clock, narrator: narrator,
                    conversation: DemoConversation(folder: folder))
                narrator.say("The chat server listens on \(address.rest).")
                let report = DemoReport(address: address.rest, results: await results(on: stage))
                await stage.conversation.end()
                try Task.checkCancellation()
                try await afterwards(report, stage)
                return report
            }
        } catch let error as ChatDevServerError {
            throw ToolError(error.reason)
        }
    }

    private func results(on stage: DemoStage) async -> [DemoResult] {
        var results: [DemoResult] = []
        let clock = ContinuousClock()
        for (index, step) in steps.enumerated() {
            if step.chapter != results.last?.chapter { narrator.tell(step.chapter) }
            let start = clock.now
            let observation: DemoObservation
            do {
                observation = try await step.run(stage)
            } catch {
                observation = .failed(ToolError(describing: error).sentence)
            }
            // A step that an interruption cuts off has no result.
            guard !Task.isCancelled else { break }
            let result = DemoResult(
                number: index + 1, chapter: step.chapter, name: step.name, mode: step.mode,
                expectation: step.expectation,
                observation: observation, duration: clock.now - start)
            narrator.tell(result)
            results.append(result)
        }
        return results
    }
}
